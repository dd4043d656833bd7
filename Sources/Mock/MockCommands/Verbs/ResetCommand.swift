import CloudCommandLine
import CommandLine
import JSON

/// Empties a running mock server, or a part of it.
struct ResetCommand: Command {
    private static let user = Option("user", value: .known("NAME", .user), "only this user's data")
    private static let container = Option(
        "container", value: .known("ID", .container), "only this container")
    private static let database = Option(
        "database", value: .choice(["private", "shared", "public"]), "only this database")
    private static let zone = Option("zone", value: .known("NAME", .zone), "only this zone")
    private static let also = Option(
        "also", value: .choice(["faults", "journal", "clock"]), repeats: true,
        "also reset this")

    static let verb = Verb(
        "reset", "delete the data of a running mock server",
        discussion: ["Deletes the mock server's own data at once, without a plan or a prompt."],
        options: [user, container, database, zone, also] + AdminClient.options
            + CommonOptions.output,
        examples: [.init("cloudkit-mock reset --also faults", "a clean start")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        var fields: [Event.Field] = []
        for option in [Self.user, Self.container, Self.database, Self.zone] {
            if let text = arguments.text(option) { fields.append(.init(option.name, text)) }
        }
        let also = arguments.texts(Self.also)
        if !also.isEmpty { fields.append(.init("also", .list(also.map { .text($0) }))) }
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        let answer = try await admin.ask(
            .post, "reset", Array(Event("reset", fields).prettyText.utf8))
        let generation = Int(answer["generation"]?.int64 ?? 0)
        console.result("reset; generation \(generation)")
        console.event(Event("reset", [.init("generation", generation)]))
        return .done
    }
}
