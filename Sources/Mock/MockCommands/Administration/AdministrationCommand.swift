import CommandLine

/// A verb that talks to a running mock server.
protocol AdministrationCommand: Command {
    var arguments: Arguments { get }
    /// Whether it moves everything that the server holds: more bytes, and a longer wait.
    static var movesArchives: Bool { get }
    /// Carries the verb out at the server that options, variables or the ready file name.
    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
}

extension AdministrationCommand {
    static var movesArchives: Bool { false }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let server = try AdminClient(arguments, in: environment, forArchives: Self.movesArchives)
        defer { server.close() }
        return try await run(on: server, console)
    }
}
