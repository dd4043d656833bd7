import Commands
import Foundation
import Testing
import ToolRunner

struct CompletionsTests {
    static let completions = Completions(verbs: VerbTable.verbs)

    @Test(arguments: Completions.Shell.allCases)
    func `every verb and option is completed`(shell: Completions.Shell) {
        let script = Self.completions.script(for: shell)
        for verb in VerbTable.verbs {
            for word in verb.words { #expect(script.contains(word)) }
            for option in verb.allOptions {
                let spelled = shell == .fish ? "-l \(option.name)" : "--\(option.name)"
                #expect(script.contains(spelled), "\(verb.name) --\(option.name)")
            }
        }
    }

    /// Asks a real bash what it would offer.
    private func offers(_ words: [String]) throws -> [String] {
        let script = Self.completions.script(for: .bash)
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let asking = """
            \(script)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
            _cksweep; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let ended = try Tool.run("/bin/bash", ["-c", asking])
        #expect(ended.status == 0)
        return ended.text.split(separator: "\n").map { String($0) }
    }

    @Test(arguments: [
        (["cksweep", "sw"], ["sweep"]),
        (["cksweep", "mock", "re"], ["reset"]),
        (["cksweep", "containers", ""], ["list", "check", "init"]),
        (["cksweep", "plan", "--detail"], ["--detailed-exitcode"]),
        (["cksweep", "mock", "start", "--default-zone", "p"], ["purge"]),
        (["cksweep", "completions", ""], ["bash", "zsh", "fish"]),
        (["cksweep", "sweep", "--approve", ""], []),
        (["cksweep", "sync", "un"], ["unfence"]),
        (["cksweep", "sync", "--wat"], ["--watch"]),
        (["cksweep", "sync", "unfence", "--own"], ["--owner"]),
        (["cksweep", "sync", "unfence", "--database", "s"], ["shared"]),
        (["cksweep", "sync", "--watch", "--inter"], ["--interval"]),
        (["cksweep", "help", "sync", "st"], ["status"]),
        (["cksweep", "help", "sw"], ["sweep"]),
        (["cksweep", "help", "mock", "re"], ["reset"]),
        (["cksweep", "help", "sweep", ""], []),
    ])
    func `bash offers what fits`(words: [String], offered: [String]) throws {
        #expect(try offers(words) == offered)
    }

    @Test func `bash offers a file with a blank in its name as one`() throws {
        let world = try TestWorld()
        try world.put("", at: "my own.plan")
        let path = "\(world.folder)/my"
        #expect(try offers(["cksweep", "apply", path]) == ["\(world.folder)/my own.plan"])
    }
}
