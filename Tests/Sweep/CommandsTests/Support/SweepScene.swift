import CommandLine
import CommandWorld
import Commands
import Foundation
import Host

/// A mock server with the demonstration's data, and a world whose list leads to it.
struct SweepScene {
    let world: TestWorld
    private let scene: MockScene

    var server: TestWorld { scene.server }
    var variables: [String: String] { scene.variables }

    /// Runs `body` beside a server of its own.
    ///
    /// - Parameters:
    ///   - fixture: What the server is seeded with; nil: the demonstration's data.
    ///   - folder: Where the world's folder is, for output that depends on how long its name is.
    static func run(
        list edit: (String) -> String = { $0 }, server options: [String] = [],
        fixture: String? = nil, at folder: String? = nil,
        _ body: (SweepScene) async throws -> Void
    ) async throws {
        try await MockScene.run(server: options, fixture: fixture) { scene in
            try await body(SweepScene(scene, edit: edit, at: folder))
        }
    }

    private init(_ scene: MockScene, edit: (String) -> String, at folder: String?) throws {
        self.scene = scene
        world = try TestWorld(at: folder)
        let facts = try scene.ready()
        let entries = DemoScript.containers.map { container in
            let types = container.types.map { "\"\($0)\"" }.joined(separator: ", ")
            return "{ \"identifier\": \"\(container.id)\", \"recordTypes\": [\(types)] }"
        }
        let text = """
            { "version": 1, "application": "com.example.myexampleapp",
              "environment": "development",
              "server": { "url": "\(facts["url"] as? String ?? "")",
                          "ca": "\(facts["ca"] as? String ?? "")" },
              "containers": [ \(entries.joined(separator: ",\n")) ],
              "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
            """
        try world.put(edit(text), at: "Containers/app.json")
    }

    /// What the server says of itself.
    func ready() throws -> [String: Any] { try scene.ready() }

    /// A command line in a fresh environment of the scene's world; what it printed and its status.
    func cksweep(
        _ words: String..., variables more: [String: String] = [:], typed: [String] = [],
        input: ActingInput? = nil, isTerminal: Bool = false, terminal: Terminal? = nil,
        processes: any Processes = PretendedProcesses()
    ) async throws -> (code: Int32, output: String, errors: String) {
        try await cksweep(
            words, variables: more, typed: typed, input: input, isTerminal: isTerminal,
            terminal: terminal, processes: processes)
    }

    func cksweep(
        _ words: [String], variables more: [String: String] = [:], typed: [String] = [],
        input: ActingInput? = nil, isTerminal: Bool = false, terminal: Terminal? = nil,
        processes: any Processes = PretendedProcesses()
    ) async throws -> (code: Int32, output: String, errors: String) {
        let output = MemorySink()
        let errors = MemorySink()
        var environment = world.environment(
            variables: variables.merging(more) { $1 }, typed: typed, isTerminal: isTerminal,
            processes: processes)
        if let input { environment.input = input }
        if let terminal { environment.terminal = terminal }
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(words + ["--state", "runs"], in: environment).code
        return (code, unmarked(output.text), errors.text)
    }

    /// An administrative verb at the scene's server.
    func mock(_ words: String...) async -> Int32 { await scene.mock(words, in: world) }

    /// The events of a `--json-into` file.
    func events(_ path: String) throws -> [[String: Any]] {
        let text = try world.text(at: path)
        return try text.split(whereSeparator: \.isNewline).compactMap { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
    }

    /// The digest of a plan that was written with its events.
    func digest(_ path: String) throws -> String {
        let planned = try events(path).last { $0["event"] as? String == "planned" }
        return planned?["digest"] as? String ?? ""
    }
}
