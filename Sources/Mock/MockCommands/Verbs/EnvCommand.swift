import Basics
import CommandLine

/// Prints the variables that lead programs to a running mock server.
struct EnvCommand: Command {
    private static let asUser = Option(
        "as", value: .known("NAME", .user),
        "user whose web token is the default (default: the first user)")
    private static let namespace = Option(
        "namespace", value: .text("NAME"),
        "namespace of the server; it is created if it does not exist")
    private static let unset = Option("unset", "print commands that unset the variables")
    private static let shell = Option(
        "shell", value: .choice(EnvironmentShell.allCases.map(\.rawValue)),
        "shell to print for; env: lines of NAME=VALUE (default: from $SHELL)")

    static let verb = Verb(
        "env", "print the variables that point programs to a running mock server",
        discussion: [
            "Prints the variables that \"cloudkit-mock exec\" sets: the server's address, its "
                + "certificate authority, its API token and the users' web tokens. Evaluate the "
                + "output in a shell to set them."
        ],
        options: [asUser, namespace, unset, shell] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("eval \"$(cloudkit-mock env)\"", "for this bash or zsh"),
            .init("cloudkit-mock env --shell fish --as bob | source", "for this fish, as Bob"),
            .init(
                "cloudkit-mock env --shell env --namespace r1 | tee .env", "for docker --env-file"),
            .init("eval \"$(cloudkit-mock env --unset)\"", "undo it"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.has(Self.unset) else { return }
        for option in [Self.asUser, Self.namespace] where arguments.has(option) {
            throw UsageError("--\(option.name) and --unset exclude each other")
        }
        if arguments.text(Self.shell) == EnvironmentShell.env.rawValue {
            throw UsageError("lines of NAME=VALUE cannot unset a variable")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let shell =
            arguments.text(Self.shell).flatMap { EnvironmentShell(rawValue: $0) }
            ?? EnvironmentShell(shell: environment.variable("SHELL"))
        if arguments.has(Self.unset) {
            let names = ServerVariables.names(in: environment.variables)
            console.result(names.compactMap { shell.unsetting($0) }.joined(separator: "\n"))
            console.event(Event("unset", [.init("names", .list(names.map { .text($0) }))]))
            return .done
        }
        let variables = try await variables(environment)
        console.result(
            variables.values.map { shell.setting($0.name, to: $0.value) }.joined(separator: "\n"))
        console.event(Event("env", variables.values.map { .init($0.name, $0.value) }))
        return .done
    }

    private func variables(_ environment: Environment) async throws(CommandFailure)
        -> ServerVariables
    {
        let server = try AdminClient(arguments, in: environment)
        defer { server.close() }
        let state = environment.stateFolder(arguments.text(AdminClient.state))
        var known = try ReadyFile.read(of: state, environment.files)
        if known?.url != server.url { known = nil }
        var admin = server
        if let name = arguments.text(Self.namespace) {
            let ready = try await ServerNamespace(name: name).find(at: server)
            known = ready
            admin = server.namespace(at: ready.url)
        }
        defer { if admin.url != server.url { admin.close() } }
        return try await variables(of: admin, known?.webTokens ?? [:])
    }

    /// Asks the server, also so that no variables lead to one that has ended.
    private func variables(
        of admin: AdminClient, _ known: [String: String]
    ) async throws(CommandFailure) -> ServerVariables {
        let users = try await admin.users()
        let user = arguments.text(Self.asUser) ?? users.first
        if let user, !users.contains(user) {
            throw CommandFailure(
                .usage, "there is no user \"\(user)\"" + NearestName.hint(for: user, among: users))
        }
        var tokens = known.filter { users.contains($0.key) }
        for user in users.prefix(Self.usersMax) + [user].compactMap(\.self)
        where tokens[user] == nil {
            tokens[user] = try await admin.webToken(of: user)
        }
        let apiToken = try await admin.apiToken()
        return ServerVariables(
            url: admin.url, authorityFile: admin.authorityFile, adminToken: admin.adminToken,
            apiToken: apiToken, webTokens: tokens, user: user)
    }

    /// Users who get a variable of their own.
    private static let usersMax = 100
}
