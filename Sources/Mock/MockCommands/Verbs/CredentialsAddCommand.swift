import CloudCommandLine
import CloudModel
import CommandLine
import FileSystem
import JSON
import MockServer

/// Adds, lists and removes the credentials of a running mock server.
struct CredentialsAddCommand: Command {
    private enum Act: String, CaseIterable {
        case add, list, remove
    }

    private static let id = Option(
        "id", value: .text("ID"), "ID of the key, in any form (default: a new one)")
    private static let apiToken = Option(
        "api-token", value: .text("TOKEN"), "an API token instead of a key, in any form")
    private static let webToken = Option(
        "web-token", value: .text("TOKEN"), "a web auth token instead of a key, in any form")
    private static let user = Option(
        "user", value: .known("NAME", .user),
        "user of the web auth token")
    private static let device = Option(
        "device", value: .text("NAME"), "device of the web auth token")
    private static let container = Option(
        "container", value: .container,
        "container of the key or API token (default: all)")
    private static let environmentName = Option(
        "environment", value: .choice(Container.Environment.allCases.map(\.rawValue)),
        "environment of --container (default development)")
    private static let callback = Option(
        "callback", value: .text("URL"), "address that a sign-in with the API token redirects to")

    static let verb = Verb(
        "key", "add, list or remove keys and tokens of a running mock server",
        discussion: [
            "\"add FILE\" registers a server-to-server key: FILE is its public half in PEM, "
                + "which \"openssl ec -in eckey.pem -pubout\" prints. With --api-token or "
                + "--web-token \"add\" registers a token that a client already has.",
            "Keys and tokens are valid until they are removed or the server stops; \"start\" "
                + "takes --server-key, --api-token and --web-token for those that are valid "
                + "from the start.",
        ],
        positionals: [
            Positional(.choice(Act.allCases.map(\.rawValue)), .one, "action"),
            Positional(
                .text("FILE|ID"), .optional,
                "file of the key to add, or ID of the key to remove"),
        ],
        options: [
            id, apiToken, webToken, user, device, container, environmentName, callback,
        ] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock key add eckey.pub.pem --id MyKey", "a server-to-server key"),
            .init(
                "cloudkit-mock key add --web-token abc123 --user ann",
                "a web auth token that a test contains"),
            .init("cloudkit-mock key remove MyKey", "the key is refused from now on"),
        ])
    private let arguments: Arguments
    private let act: Act

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard let act = arguments.positionals.first.flatMap({ Act(rawValue: $0) }) else {
            throw UsageError("\"cloudkit-mock key\" needs one of: add, list, remove")
        }
        self.act = act
        let subjects = [
            arguments.positionals.count > 1, arguments.has(Self.apiToken),
            arguments.has(Self.webToken),
        ].count { $0 }
        switch act {
        case .list:
            guard subjects == 0 else {
                throw UsageError(
                    "\"cloudkit-mock key list\" takes no key and no token: it lists all keys and API tokens"
                )
            }
        case .add, .remove:
            let what = act == .add ? "the key's FILE" : "the key's ID"
            guard subjects == 1 else {
                throw UsageError(
                    "\"cloudkit-mock key \(act.rawValue)\" needs one of: \(what), --api-token, --web-token"
                )
            }
        }
        if act == .add, arguments.has(Self.webToken) != arguments.has(Self.user) {
            throw UsageError("--web-token and --user belong together")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        switch act {
        case .add: try await add(admin, console, environment)
        case .list: try await list(admin, console)
        case .remove: try await remove(admin, console)
        }
        return .done
    }

    private func add(
        _ admin: AdminClient, _ console: Console, _ environment: Environment
    ) async throws(CommandFailure) {
        var fields: [Event.Field] = []
        func take(_ option: Option, as key: String) {
            if let text = arguments.text(option) { fields.append(.init(key, text)) }
        }
        take(Self.container, as: "container")
        take(Self.environmentName, as: "environment")
        let path: String
        if arguments.has(Self.webToken) {
            path = "tokens"
            take(Self.webToken, as: "webToken")
            take(Self.user, as: "user")
            take(Self.device, as: "device")
        } else if arguments.has(Self.apiToken) {
            path = "tokens"
            take(Self.apiToken, as: "apiToken")
            take(Self.callback, as: "callback")
        } else {
            path = "keys"
            take(Self.id, as: "keyID")
            do throws(FileError) {
                let pem = try environment.files.read(arguments.positionals[1])
                fields.append(.init("publicKey", String(decoding: pem, as: UTF8.self)))
            } catch {
                throw CommandFailure(error)
            }
        }
        let answer = try await admin.ask(
            .post, path, Array(Event("credential", fields).prettyText.utf8))
        for (key, what) in [
            ("keyID", "key"), ("webToken", "web token"), ("apiToken", "API token"),
        ] {
            guard let text = answer[key]?.string else { continue }
            console.result("added \(what) \(text)")
            console.event(Event("added", [.init("kind", what), .init(key, text)]))
            return
        }
    }

    private func list(_ admin: AdminClient, _ console: Console) async throws(CommandFailure) {
        let keys = try await admin.ask(.get, "keys")
        let tokens = try await admin.ask(.get, "tokens")
        var table = TextTable()
        table.add(["kind", "container", "environment", "ID or token"].map { .init($0, .faint) })
        for (answer, list, key, kind) in [
            (keys, "serverKeys", "keyID", "key"), (tokens, "apiTokens", "apiToken", "API token"),
        ] {
            for entry in answer[list].map({ Array($0.elements) }) ?? [] {
                let container = entry["container"]?.string
                let environment = entry["environment"]?.string
                let text = entry[key]?.string ?? ""
                table.add([
                    .init(kind), .init(container ?? "all"), .init(environment ?? "all"),
                    .init(text),
                ])
                console.event(
                    Event(
                        "credential",
                        [
                            .init("kind", kind), .init("container", container),
                            .init("environment", environment), .init(key, text),
                        ]))
            }
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
    }

    private func remove(_ admin: AdminClient, _ console: Console) async throws(CommandFailure) {
        let path: String
        if let token = arguments.text(Self.apiToken) {
            path = "tokens?apiToken=\(AdminClient.escaped(token))"
        } else if let token = arguments.text(Self.webToken) {
            path = "tokens?webToken=\(AdminClient.escaped(token))"
        } else {
            path = "keys?keyID=\(AdminClient.escaped(arguments.positionals[1]))"
        }
        let answer = try await admin.ask(.delete, path)
        let removed = answer["removed"]?.string ?? ""
        console.result("removed \(removed)")
        console.event(Event("removed", [.init("credential", removed)]))
    }
}
