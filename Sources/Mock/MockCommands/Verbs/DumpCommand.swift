import CloudCommandLine
import CloudModel
import CommandLine

/// Prints what a running mock server stores.
struct DumpCommand: AdministrationCommand {
    private static let user = Option(
        "user", value: .known("NAME", .user),
        "this user's data only (default: the public databases and every user's)")
    private static let schema = Option(
        "schema", value: .container,
        "the schema of this container instead, as a .ckdb file, with the types and fields saved "
            + "in addition")
    private static let environment = Option(
        "environment", value: .choice(Container.Environment.allCases.map(\.rawValue)),
        "environment of --schema (default development)")

    static let verb = Verb(
        "dump", "print what a running mock server stores",
        discussion: [
            "Prints one line of JSON for each database, zone, record and subscription, in a "
                + "fixed order and equal for equal data, so that \"diff\" shows what changed."
        ],
        options: [user, schema, environment] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock dump --user ann", "everything that Ann has"),
            .init(
                "cloudkit-mock dump --schema iCloud.com.example.notes",
                "what the app saves, for \"cktool import-schema\" or \"seed --schema\""),
        ])
    let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if arguments.has(Self.environment), !arguments.has(Self.schema) {
            throw UsageError("--environment needs --schema")
        }
        if arguments.has(Self.user), arguments.has(Self.schema) {
            throw UsageError("--user and --schema exclude each other")
        }
    }

    static let movesMuch = true

    /// nil: the public databases.
    private func users(of server: AdminClient) async throws(CommandFailure) -> [String?] {
        if let user = arguments.text(Self.user) { return [user] }
        return [nil] + (try await server.users())
    }

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        if let container = arguments.text(Self.schema) {
            let place = arguments.text(Self.environment) ?? "development"
            console.environment.output.write(try await server.schema(of: container, place))
        } else {
            for user in try await users(of: server) {
                console.environment.output.write(try await server.dump(user: user))
            }
        }
        return .done
    }
}
