import CloudCommandLine
import CloudModel
import CommandLine
import FileSystem
import JSON

/// Shows the record types that a running mock server knows, as a schema, or gives it one.
struct SchemaCommand: Command {
    private static let environment = Option(
        "environment", value: .choice(Container.Environment.allCases.map { $0.rawValue }),
        "types saved in this environment (default development)")
    private static let output = Option(
        "output", short: "o", value: .file, "write the schema to FILE")
    private static let load = Option(
        "load", value: .file, "load the container's schema from FILE, in both environments")
    private static let remove = Option("remove", "remove the container's schema")

    static let verb = Verb(
        "schema", "show, save or load the schema of a mock server's container",
        discussion: [
            "Without a container, lists the containers with known record types. With a "
                + "container, prints its schema, with the types and fields saved in addition: a "
                + ".ckdb file that can be loaded again, here or with \"cktool import-schema\"."
        ],
        positionals: [Positional(.known("CONTAINER", .container), .optional, "the container")],
        options: [environment, output, load, remove] + AdminClient.options + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock schema iCloud.com.example.notes -o notes.ckdb",
                "what the app saves, as a file"),
            .init(
                "cloudkit-mock schema iCloud.com.example.notes --load notes.ckdb",
                "queries need its indexes from now on"),
        ])
    private let arguments: Arguments
    private let container: Container.ID?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let shows = [Self.environment, Self.output]
        let changes = [Self.load, Self.remove].filter { arguments.has($0) }
        if changes.count > 1 { throw UsageError("--load and --remove exclude each other") }
        if let change = changes.first, let stray = shows.first(where: { arguments.has($0) }) {
            throw UsageError("--\(stray.name) is not valid with --\(change.name)")
        }
        guard let text = arguments.positionals.first else {
            if let stray = (shows + changes).first(where: { arguments.has($0) }) {
                throw UsageError("--\(stray.name) needs a container")
            }
            container = nil
            return
        }
        guard let container = Container.ID(text) else {
            let problem = Container.ID.problem(in: text) ?? "is malformed"
            throw UsageError("the container \"\(text)\" \(problem)")
        }
        self.container = container
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        guard let container else {
            try await list(admin, console)
            return .done
        }
        if let file = arguments.text(Self.load) {
            let schema = try SchemaFile.read(file, environment.files)
            try await set(Array(schema.text.utf8), container, admin, console)
        } else if arguments.has(Self.remove) {
            try await set([], container, admin, console)
        } else {
            try await show(container, admin, console, environment.files)
        }
        return .done
    }

    private func list(_ admin: AdminClient, _ console: Console) async throws(CommandFailure) {
        let places = try await admin.ask(.get, "schema")["schemas"].map { Array($0.elements) } ?? []
        guard !places.isEmpty else { return console.note("No record types are known.") }
        var table = TextTable()
        table.add(["container", "environment", "schema"].map { .init($0, .faint) })
        for place in places {
            let isDeclared = place["declared"]?.bool == true
            let container = place["container"]?.string ?? ""
            let environment = place["environment"]?.string ?? ""
            table.add([
                .init(container), .init(environment), .init(isDeclared ? "given" : "inferred"),
            ])
            console.event(
                Event(
                    "schema",
                    [
                        .init("container", container), .init("environment", environment),
                        .init("declared", isDeclared),
                    ]))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
    }

    private func show(
        _ container: Container.ID, _ admin: AdminClient, _ console: Console, _ files: Files
    ) async throws(CommandFailure) {
        let environment = arguments.text(Self.environment) ?? "development"
        let text = try await admin.text(
            "schema?container=\(AdminClient.escaped(container.rawValue))&environment=\(environment)")
        if let file = arguments.text(Self.output) {
            do throws(FileError) {
                try files.write(
                    Array(text.utf8), to: files.absolute(file), mode: 0o644, replacing: true)
            } catch {
                throw CommandFailure(.usage, error.description)
            }
            console.note("The schema of \(container) is in \(file).")
        } else {
            console.result(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        }
        console.event(
            Event("schema", [.init("container", container.rawValue), .init("text", text)]))
    }

    private func set(
        _ text: [UInt8], _ container: Container.ID, _ admin: AdminClient, _ console: Console
    ) async throws(CommandFailure) {
        let answer = try await admin.ask(
            .put, "schema?container=\(AdminClient.escaped(container.rawValue))", text)
        let count = Int(answer["recordTypes"]?.int64 ?? 0)
        console.result(
            text.isEmpty
                ? "\(container) has no schema anymore"
                : "\(container) has a schema of \(count) record types")
        console.event(
            Event(
                "schema",
                [.init("container", container.rawValue), .init("recordTypes", count)]))
    }
}
