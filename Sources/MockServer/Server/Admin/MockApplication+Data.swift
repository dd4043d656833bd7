import CloudModel
import CloudWire
import HTTPServer
import JSON

extension MockApplication {
    /// A fixture, or a profile for the generator.
    func seed(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        if ask.body["profile"] == nil {
            let fixture = try Fixture(ask.body["fixture"] ?? ask.body)
            return .job(try begin(fixture))
        }
        let generator = try Self.generator(ask.body)
        try addUsers(generator.users.map { MockUser($0) })
        return .job(SeedJob(generator))
    }

    /// Makes a fixture's users and the job that puts its data in.
    package func begin(_ fixture: Fixture) throws(AdminError) -> SeedJob {
        try addUsers(fixture.users)
        for (container, schema) in fixture.schemas {
            try storing { () throws(MockStoreError) in
                try store.setSchema(schema, of: container)
            }
        }
        return SeedJob(fixture)
    }

    /// Accounts that are there keep their names.
    private func addUsers(_ new: [MockUser]) throws(AdminError) {
        for user in new {
            let isBare = user.givenName == nil && user.familyName == nil
            if isBare, store.hasAccount(user.name) { continue }
            try storing { () throws(MockStoreError) in try store.addUser(user) }
        }
    }

    private static func generator(_ body: JSONValue) throws(AdminError) -> SeedGenerator {
        try body.allow([
            "profile", "users", "containers", "environment", "zones", "records", "seed",
        ])
        var generator = SeedGenerator()
        let name = try body.requiredText("profile")
        guard let profile = SeedProfile(rawValue: name) else {
            let all = SeedProfile.allCases.map(\.rawValue)
            throw AdminError(
                "unknown profile \"\(name)\"; nearest: "
                    + (NearestName.closest(to: name, among: all) ?? ""))
        }
        generator.profile = profile
        generator.zones = try body.number("zones", in: 0...10_000_000)
        generator.records = try body.number("records", in: 0...10_000_000)
        if let seed = try body.number("seed", in: 0...Int64.max) {
            generator.seed = UInt64(seed)
        }
        if let environment = try environment(body) { generator.environment = environment }
        if let value = body.present("users"), value.kind == .integer {
            generator.users = SeedGenerator.userNames(
                try body.number("users", in: 1...10_000) ?? 1)
        } else if body.present("users") != nil {
            generator.users = []
            for value in try body.list("users") {
                guard let user = value.string, MockUser.isValid(name: user) else {
                    throw value.refusal("must be a user's name")
                }
                generator.users.append(user)
            }
        }
        if body.present("containers") != nil {
            generator.containers = []
            for value in try body.list("containers") {
                guard let container = value.string.flatMap({ Container.ID($0) }) else {
                    throw value.refusal("must be a container's identifier")
                }
                generator.containers.append(container)
            }
        }
        return generator
    }

    /// Empties the store, or a part of it; faults, journal and clock only where named in `also`.
    func reset(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        let body = ask.body
        try body.allow(["user", "container", "environment", "database", "zone", "also"])
        var scope = ResetScope(
            user: try body.text("user"), container: try Self.container(body),
            environment: try Self.environment(body), zoneName: try body.text("zone"))
        if let text = try body.text("database") {
            guard let database = Database.Scope(rawValue: text) else {
                throw AdminError("database must be private, shared or public")
            }
            scope.scope = database
        }
        if let user = scope.user, !store.hasAccount(user) {
            throw AdminError("there is no user \"\(user)\"")
        }
        let also = try body.list("also")
        for value in also where !["faults", "journal", "clock"].contains(value.string ?? "") {
            throw value.refusal("must be faults, journal or clock")
        }
        try storing { () throws(MockStoreError) in try store.reset(scope) }
        for value in also {
            switch value.string {
            case "faults": faults.removeAll()
            case "journal": journal.clear()
            default: clock.reset()
            }
        }
        generation += 1
        return adminAnswer { $0.member("generation", generation) }
    }

    /// The user erases a zone in the settings of a device.
    func purge(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        try ask.body.allow(["user", "container", "environment", "zone"])
        guard let container = try Self.container(ask.body) else {
            throw AdminError("needs \"container\"")
        }
        let user = try ask.body.requiredText("user")
        guard store.hasAccount(user) else { throw AdminError("there is no user \"\(user)\"") }
        let zone = try ask.body.requiredText("zone")
        let address = Database.Address(
            container: container,
            environment: try Self.environment(ask.body) ?? .development, scope: .private)
        let was = try storing { () throws(MockStoreError) in
            try store.purgeZone(zone, at: address, user: user)
        }
        guard was else { throw AdminError(status: 404, "there is no such zone") }
        return adminAnswer { $0.member("purged", zone) }
    }

    /// Forgets deletions, so that older tokens expire.
    func compact() throws(AdminError) -> Outcome {
        _ = try storing { () throws(MockStoreError) in try store.compactTombstones() }
        return adminAnswer { $0.member("compacted", true) }
    }

    /// What is stored, database by database.
    func summary(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        let user = ask.query["user"]
        let all = try storing { () throws(MockStoreError) in try store.summary() }
        return adminAnswer { writer in
            writer.key("databases")
            writer.beginArray()
            for database in all where user == nil || database.user == user {
                writer.beginObject()
                writer.member("container", database.address.container.rawValue)
                writer.member("environment", database.address.environment.rawValue)
                writer.member("database", database.address.scope.rawValue)
                if let user = database.user { writer.member("user", user) }
                writer.member("zones", database.zones)
                writer.member("records", database.records)
                writer.member("subscriptions", database.subscriptions)
                writer.member("restricted", database.isRestricted)
                writer.endObject()
            }
            writer.endArray()
        }
    }

    /// All data as text that is equal when the data are.
    func dump(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        let user = ask.query["user"]
        if let user, !store.hasAccount(user) { throw AdminError("there is no user \"\(user)\"") }
        let text = try storing { () throws(MockStoreError) in try store.dump(user: user) }
        return adminAnswer { $0.member("dump", text) }
    }

    /// A `.ckdb` text for a container.
    func putSchema(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        guard let container = ask.query["container"].flatMap({ Container.ID($0) }) else {
            throw AdminError("needs ?container=IDENTIFIER")
        }
        guard !ask.raw.isEmpty else {
            try storing { () throws(MockStoreError) in
                try store.setSchema(nil, of: container)
            }
            return adminAnswer { $0.member("recordTypes", 0) }
        }
        let schema = try Self.schema(ask.raw)
        try storing { () throws(MockStoreError) in
            try store.setSchema(schema, of: container)
        }
        return adminAnswer { $0.member("recordTypes", schema.recordTypes.count) }
    }

    private static func schema(_ text: [UInt8]) throws(AdminError) -> Schema {
        do throws(SchemaError) {
            return try Schema(parsing: String(decoding: text, as: UTF8.self))
        } catch {
            throw AdminError(error.description)
        }
    }
}
