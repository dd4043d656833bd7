import CommandLine
import CommandWorld
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
        (["containers", ""], ["list", "check", "init"]),
        (["plan", "--detail"], ["--detailed-exitcode"]),
        (["completions", ""], ["bash", "zsh", "fish"]),
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
        (["help", "sweep", ""], []),
        (["nothing", "like"], []),
        ([], []),
    ])
    func `what fits is offered`(typed: [String], offered: [String]) {
        #expect(words(typed) == offered)
    }

    @Test func `every verb and option is offered with what it is for`() async {
        ProgramChecks(.cksweep).everythingIsOffered()
        let answer = await Completions(verbs: VerbTable.verbs).answer(to: ["resu"]) { _ in [] }
        #expect(answer == "resume\tcontinue an interrupted run\n")
    }

    @Test(arguments: [
        (["apply", ""], Completions.Offers.files),
        (["plan", "--state", ""], .directories),
        (["plan", "--output", "x"], .files),
        (["plan", "--state=x"], .directories),
        (["report", ""], .names(.run)),
        (["attest", "--expect-run", ""], .names(.run)),
        (["sync", "unfence", "Not"], .names(.zone)),
    ])
    func `paths are left to the shell, names to who knows them`(
        typed: [String], offers: Completions.Offers
    ) {
        #expect(Completions(verbs: VerbTable.verbs).offers(for: typed) == offers)
    }

    @Test func `the hidden word answers through the command line`() async throws {
        let world = try TestWorld()
        #expect(await world.run("__complete", "containers", "che") == 0)
        #expect(world.output.text.hasPrefix("check\t"))
    }

    /// Has a real bash complete, with a program that answers what is given here.
    private func bash(_ answer: String, _ words: [String]) throws -> [String] {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let asking = """
            cksweep() { printf '%s' '\(answer)'; }
            \(CompletionScript.bash.text(for: "cksweep"))
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
            _cksweep; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let ended = try Tool.run("/bin/bash", ["-c", asking])
        #expect(ended.status == 0)
        return ended.text.split(separator: "\n").map { String($0) }
    }

    @Test func `bash takes the words alone`() throws {
        let answer = "start\trun a mock server\nseed\tput data\n"
        #expect(try bash(answer, ["cksweep", "s"]) == ["start", "seed"])
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
