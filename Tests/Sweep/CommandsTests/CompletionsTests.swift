import CommandLine
import Commands
import Foundation
import Testing
import ToolRunner

struct CompletionsTests {
    private func words(_ typed: [String]) -> [String]? {
        guard case .words(let offers) = Completions(verbs: VerbTable.verbs).offers(for: typed)
        else { return nil }
        return offers.map(\.word)
    }

    @Test(arguments: [
        (["sw"], ["sweep"]),
        (["--v"], ["--version"]),
        (["mock", "re"], ["record", "replay", "reset"]),
        (["containers", ""], ["list", "check", "init"]),
        (["plan", "--detail"], ["--detailed-exitcode"]),
        (["mock", "start", "--default-zone", "p"], ["purge"]),
        (["completions", ""], ["bash", "zsh", "fish"]),
        (
            ["mock", "fidelity", "deleted-zone"],
            ["deleted-zone-in-feeds", "deleted-zone-in-errors"]
        ),
        (["mock", "fidelity", "--status", "o"], ["observed", "ours"]),
        (["sweep", "--approve", ""], []),
        (["sync", "un"], ["unfence"]),
        (["sync", "--wat"], ["--watch"]),
        (["sync", "unfence", "--own"], ["--owner"]),
        (["sync", "unfence", "--database", "s"], ["shared"]),
        (["sync", "--watch", "--inter"], ["--interval"]),
        (["plan", "--color="], ["auto", "always", "never"]),
        (["plan", "--color=al"], ["always"]),
        (["plan", "--quiet="], []),
        (["help", "--as", ""], ["text", "mdoc"]),
        (["help", "--a"], ["--as"]),
        (["help", "sync", "st"], ["status"]),
        (["help", "sw"], ["sweep"]),
        (["help", "mock", "re"], ["record", "replay", "reset"]),
        (["help", "sweep", ""], []),
        (["nothing", "like"], []),
        ([], []),
    ])
    func `what fits is offered`(typed: [String], offered: [String]) {
        #expect(words(typed) == offered)
    }

    @Test func `every verb and option is offered with what it is for`() async {
        for verb in VerbTable.verbs {
            #expect(words(verb.words)?.contains(verb.words.last ?? "") == true, "\(verb.name)")
            let offered = words(verb.words + ["-"]) ?? []
            for option in verb.allOptions {
                #expect(offered.contains("--\(option.name)"), "\(verb.name) --\(option.name)")
            }
        }
        let answer = await Completions(verbs: VerbTable.verbs).answer(to: ["resu"]) { _ in [] }
        #expect(answer == "resume\tcontinue an interrupted run\n")
    }

    @Test(arguments: [
        (["apply", ""], Completions.Offers.files),
        (["plan", "--state", ""], .directories),
        (["plan", "--output", "x"], .files),
        (["mock", "exec", "--", "run"], .files),
        (["plan", "--state=x"], .directories),
        (["mock", "exec", "--", "x", "--state=x"], .files),
        (["report", ""], .names(.run)),
        (["attest", "--expect-run", ""], .names(.run)),
        (["sync", "unfence", "Not"], .names(.zone)),
        (["mock", "exec", "--as="], .names(.user)),
        (["mock", "start", "--container", ""], .names(.container)),
        (["mock", "seed", ""], .names(.fixture)),
    ])
    func `paths are left to the shell, names to who knows them`(
        typed: [String], offers: Completions.Offers
    ) {
        #expect(Completions(verbs: VerbTable.verbs).offers(for: typed) == offers)
    }

    @Test func `the hidden word answers through the command line`() async throws {
        let world = try TestWorld()
        #expect(await world.run("__complete", "mock", "exe") == 0)
        #expect(world.output.text == "exec\trun a program against a mock server of its own\n")
    }

    /// Has a real bash complete, with a program that answers what is given here.
    private func bash(_ answer: String, _ words: [String]) throws -> [String] {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let asking = """
            cksweep() { printf '%s' '\(answer)'; }
            \(CompletionScript.bash.text)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
            _cksweep; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let ended = try Tool.run("/bin/bash", ["-c", asking])
        #expect(ended.status == 0)
        return ended.text.split(separator: "\n").map { String($0) }
    }

    @Test func `bash takes the words alone`() throws {
        let answer = "start\trun the bundled mock server\nseed\tput data\n"
        #expect(try bash(answer, ["cksweep", "mock", "s"]) == ["start", "seed"])
        #expect(try bash("", ["cksweep", "sweep", "--approve", ""]) == [])
    }

    @Test func `bash offers a file with a blank in its name as one`() throws {
        let world = try TestWorld()
        try world.put("", at: "my own.plan")
        let path = "\(world.folder)/my"
        #expect(
            try bash(":files\n", ["cksweep", "apply", path]) == ["\(world.folder)/my own.plan"])
    }
}
