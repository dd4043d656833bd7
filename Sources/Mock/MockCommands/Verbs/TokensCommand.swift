import CloudCommandLine
import CloudModel
import CommandLine
import JSON

/// Lists, makes and removes the tokens of a running mock server.
struct TokensCommand: Command {
    private enum Act: String, CaseIterable {
        case list, make, remove
    }

    private static let user = Option(
        "user", value: .known("NAME", .user), "user of the web auth token (without: an API token)")
    private static let device = Option(
        "device", value: .text("NAME"), "device of the web auth token")
    private static let container = Option(
        "container", value: .container, "container of the API token (default: all)")
    private static let environmentName = Option(
        "environment", value: .choice(Container.Environment.allCases.map(\.rawValue)),
        "environment of --container (default development)")
    private static let token = Option(
        "token", value: .text("TOKEN"), "text of the token, in any form (default: a random one)")

    static let verb = Verb(
        "tokens", "list, create or remove the tokens of a running mock server",
        discussion: [
            "An API token identifies an app, a web auth token identifies a user. \"make\" "
                + "prints the token and nothing else. Tokens are valid until they are removed, "
                + "expire, or the server stops."
        ],
        positionals: [
            Positional(
                .choice(Act.allCases.map(\.rawValue)), .optional, "action (default list)"),
            Positional(.text("TOKEN"), .optional, "token to remove"),
        ],
        options: [user, device, container, environmentName, token] + AdminClient.options
            + CommonOptions.output,
        examples: [
            .init("cloudkit-mock tokens", "the API tokens"),
            .init("cloudkit-mock tokens make --user ann --device phone", "sign Ann's phone in"),
            .init("cloudkit-mock tokens remove my-token", "refused from now on"),
        ])
    private let arguments: Arguments
    private let act: Act

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        act = arguments.positionals.first.flatMap { Act(rawValue: $0) } ?? .list
        guard (arguments.positionals.count == 2) == (act == .remove) else {
            throw UsageError(
                act == .remove
                    ? "\"cloudkit-mock tokens remove\" needs TOKEN"
                    : "\"cloudkit-mock tokens \(act.rawValue)\" takes no TOKEN; --token names one to make"
            )
        }
        for option in [
            Self.user, Self.device, Self.container, Self.environmentName, Self.token,
        ] where act != .make && arguments.has(option) {
            throw UsageError("--\(option.name) is only valid with \"cloudkit-mock tokens make\"")
        }
        let isWeb = arguments.has(Self.user)
        for option in [Self.container, Self.environmentName] where isWeb && arguments.has(option) {
            throw UsageError("--\(option.name) is for API tokens; --user asks for a web token")
        }
        if arguments.has(Self.device), !isWeb { throw UsageError("--device needs --user") }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        switch act {
        case .list: try await list(admin, console)
        case .make: try await make(admin, console)
        case .remove: try await remove(admin, console)
        }
        return .done
    }

    private func list(_ admin: AdminClient, _ console: Console) async throws(CommandFailure) {
        let answer = try await admin.ask(.get, "tokens")
        var table = TextTable()
        table.add(["container", "environment", "API token"].map { .init($0, .faint) })
        for entry in answer["apiTokens"].map({ Array($0.elements) }) ?? [] {
            let container = entry["container"]?.string
            let place = entry["environment"]?.string
            let text = entry["apiToken"]?.string ?? ""
            table.add([.init(container ?? "all"), .init(place ?? "all"), .init(text)])
            console.event(
                Event(
                    "token",
                    [
                        .init("container", container), .init("environment", place),
                        .init("apiToken", text),
                    ]))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        console.note("Web auth tokens are shown only when they are created.")
    }

    private func make(_ admin: AdminClient, _ console: Console) async throws(CommandFailure) {
        let key = arguments.has(Self.user) ? "webToken" : "apiToken"
        let fields = [
            (Self.user, "user"), (Self.device, "device"), (Self.container, "container"),
            (Self.environmentName, "environment"), (Self.token, key),
        ].compactMap { option, name in
            arguments.text(option).map { Event.Field(name, $0) }
        }
        let answer = try await admin.ask(.post, "tokens", fields)
        guard let text = answer[key]?.string else {
            throw CommandFailure(.internalError, "the mock server replied without a token")
        }
        console.result(text)
        console.event(Event("made", [.init(key, text)]))
    }

    /// Of either kind: whoever has a token need not know which it is.
    private func remove(_ admin: AdminClient, _ console: Console) async throws(CommandFailure) {
        let token = arguments.positionals[1]
        let known = try await admin.ask(.get, "tokens")["apiTokens"]
        let isAPI = known?.elements.contains { $0["apiToken"]?.string == token } ?? false
        let key = isAPI ? "apiToken" : "webToken"
        _ = try await admin.ask(.delete, "tokens?\(key)=\(AdminClient.escaped(token))")
        console.result("removed \(token)")
        console.event(Event("removed", [.init(key, token)]))
    }
}
