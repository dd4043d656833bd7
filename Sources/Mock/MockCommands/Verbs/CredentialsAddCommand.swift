import CloudCommandLine
import CloudModel
import CommandLine
import FileSystem

/// Adds a key or token to a running mock server.
struct CredentialsAddCommand: AdministrationCommand {
    private static let id = Option(
        "id", value: .text("ID"), "ID of the key, in any form (default: a new one)")
    private static let user = Option(
        "user", value: .known("NAME", .user), "user of the web auth token")
    private static let device = Option(
        "device", value: .text("NAME"), "device of the web auth token")
    private static let container = Option(
        "container", value: .container, "container of the key or API token (default: all)")
    private static let environmentName = Option(
        "environment", value: .choice(Container.Environment.allCases.map(\.rawValue)),
        "environment of --container (default development)")
    private static let callback = Option(
        "callback", value: .text("URL"), "address that a sign-in with the API token redirects to")

    /// The options of each kind, and what the administration API calls them.
    private static func options(of kind: StoredCredential.Kind) -> [(option: Option, key: String)] {
        switch kind {
        case .key:
            [(id, "keyID"), (container, "container"), (environmentName, "environment")]
        case .apiToken:
            [
                (container, "container"), (environmentName, "environment"),
                (callback, "callback"),
            ]
        case .webToken: [(user, "user"), (device, "device")]
        }
    }

    static let verb = Verb(
        "credentials add", "add a key or token to a running mock server",
        discussion: [
            "An API token identifies an app, a web auth token identifies a user, a key identifies "
                + "a server. Prints the ID of the key, or the token, and nothing else. It is valid "
                + "until it is removed, expires, or the server stops.",
            "\"api-token\" and \"web-token\" create a token, or add TOKEN, which may have any "
                + "form. \"key FILE\" reads the public half of a server-to-server key in PEM, which "
                + "\"openssl ec -in eckey.pem -pubout\" prints.",
            "\"serve\" and \"exec\" take --server-key, --api-token and --web-token for those that "
                + "are valid from the start.",
        ],
        positionals: [
            Positional(
                .choice(StoredCredential.Kind.allCases.map(\.rawValue)), .one, "what to add"),
            Positional(.text("TOKEN|FILE"), .optional, "the token, or the file of the key"),
        ],
        options: [id, user, device, container, environmentName, callback] + AdminClient.options
            + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock credentials add web-token --user ann --device phone",
                "sign Ann's phone in"),
            .init(
                "cloudkit-mock credentials add web-token abc123 --user ann",
                "a token that a test contains"),
            .init(
                "cloudkit-mock credentials add key eckey.pub.pem --id my-key",
                "a server-to-server key"),
        ])
    let arguments: Arguments
    private let kind: StoredCredential.Kind

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard
            let kind = arguments.positionals.first.flatMap({ StoredCredential.Kind(rawValue: $0) })
        else { throw UsageError("\"cloudkit-mock credentials add\" needs what to add") }
        self.kind = kind
        let own = Self.options(of: kind).map(\.option)
        if let stray = Self.verb.options.first(where: {
            arguments.has($0) && !own.contains($0)
                && StoredCredential.Kind.allCases.flatMap(Self.options).map(\.option).contains($0)
        }) {
            throw UsageError(
                "--\(stray.name) is not valid for a \(kind.rawValue)",
                remedy: "it takes " + own.map { "--\($0.name)" }.joined(separator: ", "))
        }
        if kind == .key, arguments.positionals.count < 2 {
            throw UsageError("\"cloudkit-mock credentials add key\" needs the key's FILE")
        }
        if kind == .webToken, !arguments.has(Self.user) {
            throw UsageError("\"cloudkit-mock credentials add web-token\" needs --user")
        }
    }

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        var fields = Self.options(of: kind).compactMap { option, key in
            arguments.text(option).map { Event.Field(key, $0) }
        }
        if let word = arguments.positionals.dropFirst().first {
            fields.append(
                kind == .key
                    ? .init("publicKey", try Self.text(of: word, console.environment.files))
                    : .init(kind.key, word))
        }
        let text = try await server.add(kind, fields)
        console.result(text)
        console.event(Event("added", [.init("kind", kind.rawValue), .init(kind.key, text)]))
        return .done
    }

    private static func text(of file: String, _ files: Files) throws(CommandFailure) -> String {
        do throws(FileError) {
            return String(decoding: try files.read(file), as: UTF8.self)
        } catch {
            throw CommandFailure(error)
        }
    }
}
