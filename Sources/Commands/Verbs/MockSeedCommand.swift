import CommandTable
import FileSystem
import JSON
import MockServer

/// Puts data into a running mock server.
struct MockSeedCommand: Command {
    private static let profile = Option(
        "profile", value: .choice(SeedProfile.allCases.map { $0.rawValue }),
        "what kind of account to generate")
    private static let users = Option(
        "users", value: .number(1...10_000), "how many users (with --profile)")
    private static let user = Option(
        "user", value: .text("NAME"), repeats: true, "this user (with --profile)")
    private static let container = Option(
        "container", value: .text("ID"), repeats: true, "this container (with --profile)")
    private static let zones = Option(
        "zones", value: .number(0...10_000_000), "zones for each user and container")
    private static let records = Option(
        "records", value: .number(0...10_000_000), "records in each zone")
    private static let seed = Option(
        "seed", value: .number(0...Int.max), "same seed: same data")

    static let verb = Verb(
        "mock seed", "put data into a running mock server",
        discussion: ["Either the fixtures named, or accounts that a generator makes up."],
        positionals: [Positional(.file, .any, "fixtures (see Containers/README.md)")],
        options: [profile, users, user, container, zones, records, seed] + MockAdmin.options
            + CommonOptions.output,
        examples: [
            .init("cksweep mock seed Containers/fixtures/demo.json", "a small account"),
            .init(
                "cksweep mock seed --profile notes --users 10 --zones 100 --records 50 --seed 7",
                "larger ones"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let generates = arguments.has(Self.profile)
        guard generates != !arguments.positionals.isEmpty else {
            throw UsageError("\"mock seed\" needs either fixtures or --profile")
        }
        let details = [
            Self.users, Self.user, Self.container, Self.zones, Self.records, Self.seed,
        ]
        if !generates, let stray = details.first(where: { arguments.has($0) }) {
            throw UsageError("--\(stray.name) goes with --profile")
        }
        if arguments.has(Self.users), arguments.has(Self.user) {
            throw UsageError("--users and --user exclude each other")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        var bodies: [[UInt8]] = []
        do throws(FileError) {
            for path in arguments.positionals { bodies.append(try environment.files.read(path)) }
        } catch {
            throw CommandFailure(error)
        }
        if arguments.has(Self.profile) { bodies = [profileBody()] }
        let admin = try MockAdmin(arguments, in: environment)
        defer { admin.close() }
        for body in bodies {
            let answer = try await admin.ask(.post, "seed", body)
            let counts = ["zones", "records", "subscriptions"].map {
                ($0, Int(answer[$0]?.int64 ?? 0))
            }
            console.result(
                "added "
                    + counts.map { "\(TextTable.grouped($0.1)) \($0.0)" }
                    .joined(separator: ", "))
            console.event(Event("seeded", counts.map { .init($0.0, $0.1) }))
        }
        return .done
    }

    private func profileBody() -> [UInt8] {
        var fields = [Event.Field("profile", arguments.text(Self.profile))]
        if let users = arguments.number(Self.users) { fields.append(.init("users", users)) }
        for (option, key) in [(Self.user, "users"), (Self.container, "containers")] {
            let texts = arguments.texts(option)
            if !texts.isEmpty { fields.append(.init(key, .list(texts.map { .text($0) }))) }
        }
        for option in [Self.zones, Self.records, Self.seed] {
            if let number = arguments.number(option) { fields.append(.init(option.name, number)) }
        }
        return Array(Event("seed", fields).prettyText.utf8)
    }
}
