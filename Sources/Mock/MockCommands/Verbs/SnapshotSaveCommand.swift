import CommandLine
import JSON

/// Takes, restores, lists or forgets snapshots of a running mock server.
struct SnapshotSaveCommand: Command {
    private static let restore = Option("restore", "return to the snapshot")
    private static let delete = Option("delete", "discard the snapshot")
    private static let list = Option("list", "list the snapshots (the same as without NAME)")

    static let verb = Verb(
        "snapshot", "take, restore, discard or list snapshots of a running mock server",
        discussion: [
            "A snapshot is the content of every database at one time, under a name; it ends "
                + "with the process. Taking one costs the same for much data as for little. After a "
                + "restore, tokens issued since the snapshot are expired."
        ],
        positionals: [Positional(.text("NAME"), .optional, "the snapshot")],
        options: [restore, delete, list] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock snapshot clean", "save the current state"),
            .init("cloudkit-mock snapshot clean --restore", "restore it"),
            .init("cloudkit-mock snapshot", "list them"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let given = [Self.restore, Self.delete, Self.list].filter { arguments.has($0) }
        if given.count > 1 {
            throw UsageError("--\(given[0].name) and --\(given[1].name) exclude each other")
        }
        guard let option = given.first else { return }
        let hasName = !arguments.positionals.isEmpty
        guard hasName != (option == Self.list) else {
            throw UsageError("--\(option.name) \(hasName ? "takes no" : "needs") NAME")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        guard let name = arguments.positionals.first else {
            try await showAll(admin, console)
            return .done
        }
        if arguments.has(Self.delete) {
            _ = try await admin.ask(.delete, "snapshots?name=\(AdminClient.escaped(name))")
            console.result("discarded \(name)")
            console.event(Event("snapshot", [.init("name", name), .init("act", "delete")]))
            return .done
        }
        let act = arguments.has(Self.restore) ? "restore" : "snapshot"
        let answer = try await admin.ask(.post, "act", [.init("act", act), .init("name", name)])
        console.result(answer["message"]?.string ?? "done")
        console.event(Event("snapshot", [.init("name", name), .init("act", act)]))
        return .done
    }

    private func showAll(_ admin: AdminClient, _ console: Console) async throws(CommandFailure) {
        let answer = try await admin.ask(.get, "snapshots")["snapshots"]
        let names = answer?.elements.compactMap { $0.string } ?? []
        console.event(Event("snapshots", [.init("names", .list(names.map { .text($0) }))]))
        guard !names.isEmpty else { return console.note("No snapshots.") }
        console.result(names.joined(separator: "\n"))
    }
}
