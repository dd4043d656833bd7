import Basics
import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

struct VerbTableTests {
    static let checks = ProgramChecks(.cksweep)

    @Test func `names and options are unique and documented`() {
        Self.checks.namesAndOptionsAreUniqueAndDocumented()
    }

    @Test func `the overview names every verb`() { Self.checks.overviewNamesEveryVerb() }

    @Test(arguments: VerbTable.verbs.map(\.name))
    func `help is as it was`(name: String) throws { try Self.checks.helpIsAsItWas(name) }

    @Test func `the overview is as it was`() throws { try Self.checks.overviewIsAsItWas() }

    @Test(arguments: checks.examples)
    func `each example is a legal command line`(line: String) throws {
        try Self.checks.isLegal(line)
    }

    @Test(arguments: [
        (["swep"], "unknown verb \"swep\"; did you mean \"sweep\"?"),
        (["sync", "stauts"], "unknown verb \"sync stauts\"; did you mean \"status\"?"),
        (["sync", "--wtach"], "\"sync\" has no option --wtach; did you mean --watch?"),
        (["sync", "--interval", "5m"], "--interval needs --watch"),
        (["sync", "--watch", "--once"], "--once and --watch exclude each other"),
        (["containers"], "\"containers\" needs one of: list, check, init"),
        (["plan", "-config", "x"], "\"plan\" has no option -config; did you mean --config?"),
        (["plan", "-s", "x"], "\"plan\" has no option -s; did you mean --state?"),
        (["plan", "-z"], "\"plan\" has no option -z"),
        (["--config", "x", "plan"], "--config is before the verb; options come after it"),
    ])
    func `an unknown verb is answered with the nearest`(words: [String], message: String)
        async throws
    {
        let world = try TestWorld()
        let code = await Dispatcher.run(words, in: world.environment()).code
        #expect(code == 2)
        #expect(world.errors.text.hasPrefix("cksweep: \(message)\n"))
        #expect(world.output.text.isEmpty)
    }

    @Test func `help lists every status that a command can exit with`() async throws {
        let world = try TestWorld()
        #expect(await world.run("help") == 0)
        // 143 stands with 130.
        for status in ExitStatus.allCases where status != .terminated {
            #expect(world.output.text.contains("\n  \(status.rawValue) "), "\(status)")
        }
    }

    @Test func `nothing typed is a usage error, and help is not`() async throws {
        let world = try TestWorld()
        #expect(await world.run() == 2)
        #expect(world.output.text.isEmpty && world.errors.text.contains("usage: cksweep"))
        #expect(await world.run("help") == 0)
        #expect(world.output.text.contains("usage: cksweep"))
    }

    @Test(arguments: [["sweep", "--help"], ["help", "sweep"], ["sweep", "x", "-h"]])
    func `help for a verb is a result`(words: [String]) async throws {
        let world = try TestWorld()
        let code = await Dispatcher.run(words, in: world.environment()).code
        guard words != ["sweep", "x", "-h"] else {
            #expect(code == 2)
            return
        }
        #expect(code == 0)
        #expect(world.output.text.hasPrefix("usage: cksweep sweep"))
    }

    @Test func `help for a family is an index, after the page of a verb of that name`()
        async throws
    {
        let world = try TestWorld()
        #expect(await world.run("help", "sync") == 0)
        #expect(world.output.text.hasPrefix("usage: cksweep sync [OPTIONS]"))
        #expect(world.output.text.contains("\n  sync unfence "), "\(world.output.text)")
        for words in [["help", "evidence"], ["evidence", "--help"], ["evidence", "-h"]] {
            let world = try TestWorld()
            #expect(await world.run(words) == 0)
            try Snapshot.check(world.output.text, "help-evidence.txt")
        }
        let verbs = VerbTable.verbs.filter { $0.words[0] == "evidence" }
        let index = try String(
            contentsOf: Snapshot.folder().appendingPathComponent("help-evidence.txt"),
            encoding: .utf8)
        #expect(verbs.allSatisfy { index.contains("\n  \($0.name) ") })
    }

    @Test func `the version is one line`() async throws {
        let world = try TestWorld()
        #expect(await world.run("--version") == 0)
        #expect(world.output.text == "cksweep \(Program.cksweep.version)\n")
    }

    @Test func `an error is an event too`() async throws {
        let world = try TestWorld()
        #expect(await world.run("plan", "--json", "-c", "none.json") == 2)
        #expect(
            world.output.text
                == #"{"event":"error","time":"2026-11-18T11:06:40Z","status":2,"#
                + #""message":"none.json: cannot be read: No such file or directory","#
                + #""remedy":null}"# + "\n")
    }
}
