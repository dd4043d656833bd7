import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// Loading data.
struct SeedResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "POST", "seed",
            takes: .json(
                "a fixture, or profile, users, containers, environment, zones, records, seed, "
                    + "deleted, shares",
                .map(.any)),
            upTo: AdminEndpoint.seedBytesMax,
            answers: [
                .count("zones"), .count("records"), .count("subscriptions"), .count("deleted"),
                .count("shares"), .list("refused", of: .text),
            ], partly: 422, "loads data", load)
    ]

    /// A fixture, or a profile for the generator.
    private func load() throws(MockError) -> RequestOutcome {
        guard body.present("profile") != nil else {
            let fixture = try Fixture(body["fixture"] ?? body)
            return run(try SeedJob.begin(fixture, store))
        }
        try body.allow([
            "profile", "users", "containers", "environment", "zones", "records", "seed", "deleted",
            "shares",
        ])
        var generator = SeedGenerator()
        generator.profile = try body.choice("profile") ?? generator.profile
        generator.zones = try body.number("zones", in: 0...10_000_000)
        generator.records = try body.number("records", in: 0...10_000_000)
        generator.deleted = try body.number("deleted", in: 0...100) ?? 0
        generator.shares = try body.number("shares", in: 0...1000) ?? 0
        if let seed = try body.number("seed", in: 0...Int64.max) { generator.seed = UInt64(seed) }
        if let environment: Container.Environment = try body.choice("environment") {
            generator.environment = environment
        }
        if let value = body.present("users"), value.kind == .integer {
            generator.users = SeedGenerator.userNames(
                try body.number("users", in: 1...10_000) ?? 1)
        } else if let users = try body.list(
            "users", of: "a user's name", { MockUser.isValid(name: $0) ? $0 : nil })
        {
            generator.users = users
        }
        if let containers = try body.list(
            "containers", of: "a container's identifier", { Container.ID($0) })
        {
            generator.containers = containers
        }
        guard generator.shares == 0 || generator.users.count > 1 else {
            throw MockError("shares need two users")
        }
        return run(try SeedJob.begin(generator, store))
    }

    private func run(_ job: SeedJob) -> RequestOutcome { .job(job) { job.response } }
}
