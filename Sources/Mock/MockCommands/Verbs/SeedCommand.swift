import CloudCommandLine
import CommandLine
import FileSystem
import MockAdmin
import MockStore

/// Puts data into a running mock server.
struct SeedCommand: Command {
    private static let profile = Option(
        "profile", value: .choice(SeedProfile.allCases.map { $0.rawValue }),
        "kind of account to generate, see below")
    private static let users = Option(
        "users", value: .number(1...10_000), "number of users (with --profile)")
    private static let user = Option(
        "user", value: .known("NAME", .user), repeats: true, "only this user (with --profile)")
    private static let container = Option(
        "container", value: .known("ID", .container), repeats: true,
        "only this container (with --profile)")
    private static let zones = Option(
        "zones", value: .number(0...10_000_000), "zones for each user and container")
    private static let records = Option(
        "records", value: .number(0...10_000_000), "records in each zone")
    private static let deleted = Option(
        "deleted", value: .text("PERCENT"),
        "share of these records to delete again, such as 36% (with --profile)")
    private static let shares = Option(
        "shares", value: .number(0...1000),
        "hierarchies that each user shares with the next (with --profile)")
    private static let seed = Option(
        "seed", value: .number(0...Int.max), "the same seed gives the same data")

    private static let reset = Option(
        "reset",
        "first delete all data, but no faults, logged requests or settings")

    static let verb = Verb(
        "seed", "load data into a running mock server",
        discussion: [
            "Loads schemas and fixtures, or generates accounts."
        ],
        positionals: [
            Positional(.known("FILE", .fixture), .any, "fixtures (see Containers/README.md)")
        ],
        options: [
            reset, ServeOptions.schema, profile, users, user, container, zones, records, deleted,
            shares, seed,
        ]
            + AdminClient.options
            + CommonOptions.output,
        examples: [
            .init("cloudkit-mock seed Containers/fixtures/demo.json", "a small account"),
            .init(
                "cloudkit-mock seed --reset --schema iCloud.com.example.notes=notes.ckdb",
                "empty, and queries need the schema's indexes from now on"),
            .init(
                "cloudkit-mock seed --profile notes --users 10 --zones 100 --records 50 --seed 7",
                "larger ones"),
            .init(
                "cloudkit-mock seed --profile notes --users 3 --records 20000 --deleted 36% --shares 5",
                "accounts with a history"),
        ],
        sections: [
            Verb.Section(
                "profiles", SeedProfile.allCases.map { ($0.rawValue, $0.about) })
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let generates = arguments.has(Self.profile)
        if generates, !arguments.positionals.isEmpty {
            throw UsageError("fixtures and --profile exclude each other")
        }
        let isAsked = [Self.profile, Self.reset, ServeOptions.schema].contains { arguments.has($0) }
        guard isAsked || !arguments.positionals.isEmpty else {
            throw UsageError(
                "\"cloudkit-mock seed\" needs fixtures, --profile, --schema or --reset")
        }
        let details = [
            Self.users, Self.user, Self.container, Self.zones, Self.records, Self.seed,
            Self.deleted, Self.shares,
        ]
        if !generates, let stray = details.first(where: { arguments.has($0) }) {
            throw UsageError("--\(stray.name) needs --profile")
        }
        if arguments.has(Self.users), arguments.has(Self.user) {
            throw UsageError("--users and --user exclude each other")
        }
        if let text = arguments.text(Self.deleted), Self.percent(text) == nil {
            throw UsageError("--deleted is \"\(text)\"; expected a share from 0% to 100%")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        var bodies: [(file: String?, body: [UInt8])] = []
        do throws(FileError) {
            for path in arguments.positionals {
                bodies.append((path, try environment.files.read(path)))
            }
        } catch {
            throw CommandFailure(error)
        }
        if arguments.has(Self.profile) { bodies = [(nil, profileBody())] }
        let schemas = try ServeOptions.schemas(arguments, environment.files)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        if arguments.has(Self.reset) {
            try await admin.reset()
            console.result("deleted all data")
            console.event(Event("reset"))
        }
        for (container, schema) in schemas {
            let types = try await admin.setSchema(schema.text, of: container.rawValue)
            console.result("\(container) has a schema of \(Counts.some(types, "record type"))")
            console.event(
                Event(
                    "schema",
                    [.init("container", container.rawValue), .init("recordTypes", types)]))
        }
        for (file, body) in bodies {
            let counts: SeedCounts
            do throws(CommandFailure) {
                counts = try await admin.seed(body)
            } catch {
                guard let file else { throw error }
                throw CommandFailure(
                    error.status, "\(file): \(error.message)", remedy: error.remedy)
            }
            console.result(counts.line)
            console.event(counts.event)
        }
        return .done
    }

    /// A whole share of a hundred, with its sign or without; nil for anything else.
    private static func percent(_ text: String) -> Int? {
        guard let number = Int(text.hasSuffix("%") ? String(text.dropLast()) : text) else {
            return nil
        }
        return (0...100).contains(number) ? number : nil
    }

    private func profileBody() -> [UInt8] {
        var fields = [Event.Field("profile", arguments.text(Self.profile))]
        if let users = arguments.number(Self.users) { fields.append(.init("users", users)) }
        for (option, key) in [(Self.user, "users"), (Self.container, "containers")] {
            let texts = arguments.texts(option)
            if !texts.isEmpty { fields.append(.init(key, .list(texts.map { .text($0) }))) }
        }
        if let deleted = arguments.text(Self.deleted).flatMap(Self.percent) {
            fields.append(.init("deleted", deleted))
        }
        for option in [Self.zones, Self.records, Self.shares, Self.seed] {
            if let number = arguments.number(option) { fields.append(.init(option.name, number)) }
        }
        return Array(Event("seed", fields).prettyText.utf8)
    }
}
