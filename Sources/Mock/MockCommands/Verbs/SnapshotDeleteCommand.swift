import CommandLine

/// Deletes a named snapshot of a running mock server.
struct SnapshotDeleteCommand: AdministrationCommand {
    static let verb = Verb(
        "snapshot delete", "delete a named snapshot of a running mock server",
        positionals: [Positional(.text("NAME"), .one, "name of the snapshot")],
        options: AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock snapshot delete clean", "it cannot be restored anymore")])
    let arguments: Arguments

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        let name = arguments.positionals[0]
        try await server.deleteSnapshot(name)
        console.result("deleted \(name)")
        console.event(Event("deleted", [.init("name", name)]))
        return .done
    }
}
