import Basics
import CommandLine
import Commands
import Foundation
import Testing

struct VerbTableTests {
    @Test func `names and options are unique and documented`() {
        let names = VerbTable.verbs.map(\.name)
        #expect(Set(names).count == names.count)
        for verb in VerbTable.verbs {
            let options = verb.allOptions.map(\.name)
            #expect(Set(options).count == options.count, "\(verb.name)")
            let shorts = verb.allOptions.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(verb.name)")
            #expect(!verb.summary.isEmpty && verb.allOptions.allSatisfy { !$0.summary.isEmpty })
        }
    }

    @Test func `the overview names every verb`() {
        let text = HelpText.overview(of: .cksweep)
        for verb in VerbTable.verbs { #expect(text.contains("  \(verb.name) ")) }
    }

    @Test(arguments: VerbTable.verbs.map(\.name))
    func `help is as it was`(name: String) throws {
        let verb = try #require(VerbTable.verbs.first { $0.name == name })
        let page = HelpText.page(for: verb, of: .cksweep)
        let file = "help-\(name.split(separator: " ").joined(separator: "-")).txt"
        try Snapshot.check(page, file)
        let wide = page.split(separator: "\n").filter { line in
            line.count > 80 && !line.hasPrefix("  cksweep") && !line.hasPrefix("  # ")
                && !line.hasPrefix("usage:")
        }
        #expect(wide == [])
    }

    @Test func `the overview is as it was`() throws {
        let text = HelpText.overview(of: .cksweep)
        try Snapshot.check(text, "help.txt")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
    }

    @Test(arguments: VerbTable.verbs.flatMap { verb in verb.examples.map { $0.line } })
    func `each example is a legal command line`(line: String) throws {
        var words: [String] = []
        var isQuoted = false
        var word = ""
        for character in line + " " {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        guard words.first == "cksweep" else { return }  // a shell construct around it
        let end = words.firstIndex { $0 == "&" || $0 == "|" } ?? words.count
        let typed = Array(words[1..<end])
        let (command, count) = try Program.cksweep.find(typed)
        let arguments = try ArgumentScanner.scan(
            Array(typed.dropFirst(count)), for: command.verb, of: "cksweep")
        _ = try command.init(arguments: arguments)
    }

    @Test(arguments: [
        (["swep"], "unknown verb \"swep\"; did you mean \"sweep\"?"),
        (
            ["mock"],
            "\"mock\" needs one of: start, exec, record, replay, compare, apple, seed, act, key, schema, "
                + "reset, faults, journal, explain, findings, pushes, export, import, clock, tick, snapshot, tokens, "
                + "env, status, health, trust, untrust, fidelity"
        ),
        (["sync", "stauts"], "unknown verb \"sync stauts\"; did you mean \"status\"?"),
        (["sync", "--wtach"], "\"sync\" has no option --wtach; did you mean --watch?"),
        (["sync", "--interval", "5m"], "--interval needs --watch"),
        (["sync", "--watch", "--once"], "--once and --watch exclude each other"),
        (["mock", "strat"], "unknown verb \"mock strat\"; did you mean \"start\"?"),
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
        for words in [["help", "mock"], ["mock", "--help"], ["mock", "-h"]] {
            let world = try TestWorld()
            #expect(await world.run(words) == 0)
            try Snapshot.check(world.output.text, "help-mock.txt")
        }
        let verbs = VerbTable.verbs.filter { $0.words[0] == "mock" }
        let index = try String(
            contentsOf: Snapshot.folder.appendingPathComponent("help-mock.txt"), encoding: .utf8)
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
