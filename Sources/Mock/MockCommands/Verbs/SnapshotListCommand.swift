import CommandLine

/// Lists the named snapshots of a running mock server.
struct SnapshotListCommand: AdministrationCommand {
    static let verb = Verb(
        "snapshot list", "list the named snapshots of a running mock server",
        options: AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock snapshot list", "their names")])
    let arguments: Arguments

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        let names = try await server.snapshots()
        console.event(Event("snapshots", [.init("names", .list(names.map { .text($0) }))]))
        if names.isEmpty {
            console.note("No snapshots.")
        } else {
            console.result(names.joined(separator: "\n"))
        }
        return .done
    }
}
