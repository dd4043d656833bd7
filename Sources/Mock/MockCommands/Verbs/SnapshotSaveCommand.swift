import CommandLine
import FileSystem
import MockStore

/// Saves what a running mock server stores.
struct SnapshotSaveCommand: AdministrationCommand {
    private static let to = Option(
        "to", value: .file, "save to FILE, which is replaced if it exists")

    static let verb = Verb(
        "snapshot save", "save everything that a running mock server stores",
        discussion: [
            "NAME is kept in the server's memory until it ends: taking it costs the same for "
                + "much data as for little. FILE is an SQLite database. It contains no "
                + "credentials, and an old FILE is kept until the new one is complete and on disk.",
            "\"cloudkit-mock snapshot restore\" restores both, and \"cloudkit-mock serve "
                + "--restore FILE\" starts a server with a file.",
        ],
        positionals: [Positional(.text("NAME"), .optional, "name of the snapshot")],
        options: [to] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock snapshot save clean", "until the server ends"),
            .init("cloudkit-mock snapshot save --to state.snapshot", "to keep"),
        ])
    let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.positionals.isEmpty == arguments.has(Self.to) else {
            throw UsageError("\"cloudkit-mock snapshot save\" needs either NAME or --to FILE")
        }
    }

    static let movesMuch = true

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        guard let path = arguments.text(Self.to) else {
            var event = SimulatedEvent(.snapshot)
            event.name = arguments.positionals[0]
            console.result(try await server.simulate(event).message)
            console.event(Event("saved", [.init("name", event.name)]))
            return .done
        }
        let bytes = try await server.snapshotFile()
        do throws(FileError) {
            try console.environment.files.write(bytes, to: path, mode: 0o600, replacing: true)
        } catch {
            throw CommandFailure(error)
        }
        console.result("saved \(Counts.some(bytes.count, "byte")) to \(path)")
        console.event(Event("saved", [.init("file", path), .init("bytes", bytes.count)]))
        return .done
    }
}
