import CommandLine
import FileSystem
import MockStore

/// Returns a running mock server to what was saved of it.
struct SnapshotRestoreCommand: AdministrationCommand {
    private static let from = Option("from", value: .file, "restore FILE")

    static let verb = Verb(
        "snapshot restore", "replace everything that a running mock server stores by a snapshot",
        discussion: [
            "Change tokens issued since the snapshot are expired afterwards.",
            "All of FILE is restored, or nothing changes. Users, data, settings and clock are then "
                + "the file's; API tokens, web tokens, faults and the log of requests stay the "
                + "server's; named snapshots are deleted.",
        ],
        positionals: [Positional(.text("NAME"), .optional, "name of the snapshot")],
        options: [from] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock snapshot restore clean", "the state that was saved"),
            .init("cloudkit-mock snapshot restore --from state.snapshot", "from a file"),
        ])
    let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.positionals.isEmpty == arguments.has(Self.from) else {
            throw UsageError("\"cloudkit-mock snapshot restore\" needs either NAME or --from FILE")
        }
    }

    static let movesMuch = true

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        guard let path = arguments.text(Self.from) else {
            var event = SimulatedEvent(.restore)
            event.name = arguments.positionals[0]
            console.result(try await server.simulate(event).message)
            console.event(Event("restored", [.init("name", event.name)]))
            return .done
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try console.environment.files.read(
                path, bytesMax: AdminClient.muchBytesMax)
        } catch {
            throw CommandFailure(error)
        }
        let counts = try await server.restore(bytes)
        console.result(counts.line)
        console.event(counts.event)
        return .done
    }
}
