import CommandLine

/// Removes a key or token from a running mock server.
struct CredentialsRemoveCommand: AdministrationCommand {
    static let verb = Verb(
        "credentials remove", "remove a key or token from a running mock server",
        discussion: ["Requests with it are refused from now on."],
        positionals: [
            Positional(.text("ID|TOKEN"), .one, "ID of a key, or text of a token that was added")
        ],
        options: AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock credentials remove my-key", "one key")])
    let arguments: Arguments

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        let text = arguments.positionals[0]
        // Of another kind than the listed ones is a web token.
        let kind = try await server.credentials().first { $0.text == text }?.kind ?? .webToken
        try await server.remove(kind, text)
        console.result("removed \(text)")
        console.event(Event("removed", [.init("kind", kind.rawValue), .init(kind.key, text)]))
        return .done
    }
}
