import CommandLine

/// Lists the keys and API tokens of a running mock server.
struct CredentialsListCommand: AdministrationCommand {
    static let verb = Verb(
        "credentials list", "list the keys and API tokens of a running mock server",
        discussion: ["Web auth tokens are shown only when they are added."],
        options: AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock credentials list", "each with its container")])
    let arguments: Arguments

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        let credentials = try await server.credentials()
        console.table(StoredCredential.columns, credentials.map(\.cells))
        for credential in credentials { console.event(credential.event) }
        return .done
    }
}
