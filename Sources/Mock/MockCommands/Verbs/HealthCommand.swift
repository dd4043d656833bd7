import CommandLine
import Configuration
import JSON

/// Says whether a mock server answers, by its exit status.
struct HealthCommand: Command {
    static let verb = Verb(
        "health", "exit 0 if a mock server is healthy, and 1 if not",
        discussion: [
            "Sends a request over TLS, with the certificate checked, as a client would: for the "
                + "health check of a container, or to wait for a server. Without URL, checks the "
                + "server that the other verbs use. The authority is --ca, else "
                + "$CLOUDKIT_EMULATOR_CA, else that of --state."
        ],
        positionals: [Positional(.text("URL"), .optional, "the server's address")],
        options: AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock health", "the server started last"),
            .init("cloudkit-mock health https://localhost:8443", "HEALTHCHECK of an image"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard let url = arguments.positionals.first else { return }
        if let problem = ServerAddress.problem(in: url) { throw UsageError("URL \(problem)") }
        if arguments.has(AdminClient.server) {
            throw UsageError("URL and --server exclude each other")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let problem = await problem(console)
        console.event(
            Event("health", [.init("healthy", problem == nil), .init("reason", problem)]))
        guard let problem else {
            console.result("ok")
            return .done
        }
        console.result("unhealthy: \(problem)")
        return .status(.internalError)
    }

    /// What is wrong; nil: nothing.
    private func problem(_ console: Console) async -> String? {
        do throws(CommandFailure) {
            let admin = try admin(console.environment)
            defer { admin.close() }
            let health = try await admin.ask(.get, "health")
            guard let status = health["status"]?.string else {
                return "\(admin.url) is not a mock server"
            }
            return status == "ok" ? nil : health["takesNoWrites"]?.string ?? status
        } catch {
            return error.message
        }
    }

    private func admin(_ environment: Environment) throws(CommandFailure) -> AdminClient {
        guard let url = arguments.positionals.first else {
            return try AdminClient(arguments, in: environment)
        }
        let files = environment.files
        let state = environment.stateFolder(arguments.text(AdminClient.state))
        let ofState = "\(state)/ca/ca.pem"
        let authority =
            arguments.text(AdminClient.authority).map { files.absolute($0) }
            ?? environment.variable(ServerChoice.authorityVariable)
            ?? (files.facts(ofState)?.isFile == true ? ofState : nil)
        // Whether a server is well is answered without the token.
        return AdminClient(
            url: ServerAddress.canonical(url), authorityFile: authority, adminToken: nil)
    }
}
