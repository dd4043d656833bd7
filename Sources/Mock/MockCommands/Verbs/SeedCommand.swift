import CloudCommandLine
import CommandLine
import FileSystem
import JSON
import MockServer

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

    static let verb = Verb(
        "seed", "load data into a running mock server",
        discussion: ["Loads fixtures, or generates accounts."],
        positionals: [
            Positional(.known("FILE", .fixture), .any, "fixtures (see Containers/README.md)")
        ],
        options: [profile, users, user, container, zones, records, deleted, shares, seed]
            + AdminClient.options
            + CommonOptions.output,
        examples: [
            .init("cloudkit-mock seed Containers/fixtures/demo.json", "a small account"),
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
        guard generates != !arguments.positionals.isEmpty else {
            throw UsageError("\"cloudkit-mock seed\" needs either fixtures or --profile")
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
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        for (file, body) in bodies {
            let answer = try await Self.named(file) { () async throws(CommandFailure) in
                try await admin.ask(.post, "seed", body)
            }
            var counts = ["zones", "records", "subscriptions", "shares"].map {
                ($0, Int(answer[$0]?.int64 ?? 0))
            }
            if counts[3].1 == 0 { counts.removeLast() }
            let deleted = Int(answer["deleted"]?.int64 ?? 0)
            console.result(
                "added "
                    + counts.map { "\(TextTable.grouped($0.1)) \($0.0)" }
                    .joined(separator: ", ")
                    + (deleted == 0 ? "" : "; deleted \(TextTable.grouped(deleted)) of them"))
            console.event(
                Event("seeded", (counts + [("deleted", deleted)]).map { .init($0.0, $0.1) }))
        }
        return .done
    }

    /// Has a refusal say which file it is about.
    private static func named(
        _ file: String?, _ ask: () async throws(CommandFailure) -> JSONValue
    ) async throws(CommandFailure) -> JSONValue {
        do throws(CommandFailure) {
            return try await ask()
        } catch {
            guard let file else { throw error }
            throw CommandFailure(error.status, "\(file): \(error.message)", remedy: error.remedy)
        }
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
