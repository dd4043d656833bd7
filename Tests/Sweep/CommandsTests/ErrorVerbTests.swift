import CommandLine
import CommandWorld
import Commands
import Foundation
import Host
import Testing

/// What a mistake is answered with, and in which order mistakes are told.
struct ErrorVerbTests {
    private static let list = """
        { "version": 1, "environment": "development",
          "containers": [ { "identifier": "iCloud.com.example.a", "recordTypes": [] } ],
          "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
        """

    @Test(arguments: [
        (["apply", "no.plan"], "the plan no.plan does not exist"),
        (["resume", "2026"], "there are no runs in "),
        (["resume"], "there are no runs in "),
        (["verify", "2026"], "there are no runs in "),
        (["watch", "2026"], "there are no runs in "),
        (["restrict", "2026"], "there are no runs in "),
        (["sweep", "--approve", "00"], "has the approved digest"),
        (["plan", "-o", "Containers/app.json"], "exists already and is not overwritten"),
    ])
    func `a plan or run that is not there is told before tokens are asked for`(
        words: [String], says: String
    ) async throws {
        let world = try TestWorld()
        try world.put(Self.list, at: "Containers/app.json")
        _ = await world.run(words)
        #expect(world.errors.text.contains(says), "\(world.errors.text)")
        #expect(!world.errors.text.contains("API"), "\(world.errors.text)")
    }

    @Test func `no message names another variable than the list does`() async throws {
        let world = try TestWorld()
        try world.put(Self.list, at: "Containers/app.json")
        let others = ["APIS": "secret-1", "API_": "secret-2", "WEBB": "secret-3", "WEB": "w"]
        for words in [["plan"], ["doctor"], ["containers", "check", "--from", "."]] {
            _ = await world.run(words, variables: others)
        }
        let said = world.errors.text + world.output.text
        #expect(said.contains("\"apiToken\" needs the variable API, which is not set"))
        #expect(["APIS", "API_", "WEBB", "secret"].allSatisfy { !said.contains($0) }, "\(said)")
    }

    @Test(arguments: [40, 80, 120])
    func `on a terminal, errors are broken between words, and elsewhere they are not`(
        columns: Int
    ) async throws {
        let world = try TestWorld()
        var environment = world.environment()
        let words = ["containers", "chekc"]
        _ = await Dispatcher.run(words, in: environment)
        let whole = world.errors.text
        environment.terminal = Terminal(
            inputIsTerminal: true, outputIsTerminal: true, errorsIsTerminal: true,
            width: { columns })
        let sink = MemorySink()
        environment.errors = sink
        _ = await Dispatcher.run(words, in: environment)
        #expect(sink.text.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(sink.text)")
        #expect(
            sink.text.split(whereSeparator: \.isWhitespace)
                == whole.split(whereSeparator: \.isWhitespace))
    }
}
