import CommandLine

/// A verb that talks to a running mock server.
protocol AdministrationCommand: Command {
    var arguments: Arguments { get }
    /// Whether everything that the server stores is sent in one message.
    static var movesMuch: Bool { get }
    /// Carries the verb out at the server that options, variables or the ready file name.
    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
}

extension AdministrationCommand {
    static var movesMuch: Bool { false }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let server = try AdminClient(arguments, in: environment, movesMuch: Self.movesMuch)
        defer { server.close() }
        return try await run(on: server, console)
    }
}
