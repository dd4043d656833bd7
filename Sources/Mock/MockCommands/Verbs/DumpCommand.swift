import CommandLine

/// Prints what a running mock server stores, as JSON lines.
struct DumpCommand: Command {
    private static let user = Option(
        "user", value: .known("NAME", .user),
        "this user's private data (default: the public databases)")

    static let verb = Verb(
        "dump", "print what a running mock server stores, as JSON lines",
        discussion: [
            "One line for each database, zone, record and subscription, in a fixed order and "
                + "equal for equal data, so that \"diff\" shows what changed."
        ],
        options: [user] + AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock dump --user ann", "all that Ann has")])
    private let arguments: Arguments

    init(arguments: Arguments) { self.arguments = arguments }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let admin = try AdminClient(arguments, in: environment, forArchives: true)
        defer { admin.close() }
        let query = arguments.text(Self.user).map { "?user=\(AdminClient.escaped($0))" } ?? ""
        // They are JSON already.
        environment.output.write(try await admin.text("dump\(query)"))
        return .done
    }
}
