package import CloudModel
import CloudWire
package import JSON
package import MockService
package import MockStore

/// A small account or several, read from a file: see `Containers/README.md` for every key.
///
/// Records and subscriptions are spelled as on the wire and go in by the same requests.
package struct Fixture: Sendable {
    /// One line on what the fixture shows.
    package let shows: String
    package let users: [MockUser]
    /// The schemas that containers have, in both environments.
    package let schemas: [(container: Container.ID, schema: Schema)]
    package let steps: [SeedStep]

    /// Bytes of a fixture.
    package static let bytesMax = 16 << 20
    private static let batch = WireLimits.operationsMax

    /// Reads a fixture's text.
    ///
    /// - Throws: ``MockError`` with path, line and column of what is wrong.
    package static func parse(_ text: [UInt8]) throws(MockError) -> Fixture {
        do {
            let document = try JSONDocument.parse(text, limits: JSONLimits(bytesMax: bytesMax))
            if let member = document.repeatedKey {
                throw MockError("the key \"\(member.key)\" is repeated (\(member.keyLocation))")
            }
            return try Fixture(document.root)
        } catch let error as JSONError {
            throw MockError("the fixture is not JSON: \(error)")
        } catch let error as MockError {
            throw error
        } catch {
            throw MockError("cannot read the fixture")
        }
    }

    /// Reads a fixture.
    package init(_ root: JSONValue) throws(MockError) {
        try root.allow(["version", "shows", "environment", "users", "schemas", "databases"])
        guard try root.number("version", in: 1...1) != nil else {
            throw root.refusal("needs \"version\": 1")
        }
        shows = try root.requiredText("shows")
        let name = try root.text("environment") ?? "development"
        guard let environment = Container.Environment(rawValue: name) else {
            throw root.refusal("environment must be development or production")
        }
        var users: [MockUser] = []
        for value in try root.list("users") { users.append(try Self.user(value)) }
        var steps: [SeedStep] = []
        let names = Set(users.map(\.name))
        for value in try root.list("databases") {
            let database = try Self.database(value, environment, names)
            steps += try Self.steps(value, database.address, database.user)
        }
        self.users = users
        schemas = try root["schemas"].map(Self.schemas) ?? []
        self.steps = steps
    }

    /// Containers with the text of their schemas.
    private static func schemas(
        _ value: JSONValue
    ) throws(MockError) -> [(container: Container.ID, schema: Schema)] {
        guard value.kind == .object else {
            throw value.refusal("schemas must be an object of containers and schema texts")
        }
        var schemas: [(container: Container.ID, schema: Schema)] = []
        for member in value.members {
            guard let container = Container.ID(member.key), let text = member.value.string else {
                throw member.value.refusal("schemas contains something other than a schema's text")
            }
            do throws(SchemaError) {
                schemas.append((container, try Schema(parsing: text)))
            } catch {
                throw member.value.refusal("the schema of \(container) is invalid: \(error)")
            }
        }
        return schemas
    }

    /// A name, or an object with a name and what is known of the person.
    private static func user(_ value: JSONValue) throws(MockError) -> MockUser {
        guard let name = value.string else {
            try value.allow(MockUser.keys)
            return try MockUser(value)
        }
        guard MockUser.isValid(name: name) else {
            throw value.refusal("a user's name has 1 to 64 letters, digits or any of . - _ @")
        }
        return MockUser(name)
    }

    private static func database(
        _ value: JSONValue, _ environment: Container.Environment, _ users: Set<String>
    ) throws(MockError) -> (address: Database.Address, user: String) {
        try value.allow(["container", "scope", "user", "zones", "subscriptions"])
        let text = try value.requiredText("container")
        guard let container = Container.ID(text) else {
            throw value.refusal(
                "container \"\(text)\" " + (Container.ID.problem(in: text) ?? "is malformed"))
        }
        let scopeName = try value.text("scope") ?? "private"
        guard let scope = Database.Scope(rawValue: scopeName), scope != .shared else {
            throw value.refusal("scope must be private or public")
        }
        let user = try value.requiredText("user")
        guard users.contains(user) else {
            throw value.refusal("user \"\(user)\" is not among \"users\"")
        }
        return (
            Database.Address(container: container, environment: environment, scope: scope), user
        )
    }

    private static func steps(
        _ value: JSONValue, _ address: Database.Address, _ user: String
    ) throws(MockError) -> [SeedStep] {
        var commands: [CloudCommand] = []
        var zones: [RecordZone.Operation] = []
        var modifications: [SeedStep] = []
        for zone in try value.list("zones") {
            try zone.allow(["name", "records"])
            let id = RecordZone.ID(try zone.requiredText("name"))
            if !id.isDefault { zones.append(.create(id)) }
            let records = try zone.list("records")
            for start in stride(from: 0, to: records.count, by: batch) {
                let slice = records[start..<min(start + batch, records.count)]
                modifications.append(try modification(of: slice, id, address, user))
            }
        }
        for start in stride(from: 0, to: zones.count, by: batch) {
            commands.append(
                .write(.modifyZones(Array(zones[start..<min(start + batch, zones.count)]))))
        }
        var steps = commands.map { SeedStep(user: user, address: address, command: $0) }
        steps += modifications
        let subscriptions = try value.list("subscriptions")
        for start in stride(from: 0, to: subscriptions.count, by: batch) {
            let slice = subscriptions[start..<min(start + batch, subscriptions.count)]
            steps.append(
                SeedStep(user: user, address: address, command: try creation(of: slice, address)))
        }
        return steps
    }

    private static func modification(
        of records: ArraySlice<JSONValue>, _ zone: RecordZone.ID, _ address: Database.Address,
        _ user: String
    ) throws(MockError) -> SeedStep {
        var files: [SeedAsset] = []
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("zoneID")
        writer.beginObject()
        writer.member("zoneName", zone.zoneName)
        writer.endObject()
        writer.member("atomic", false)
        writer.key("operations")
        writer.beginArray()
        for record in records {
            try record.allow(["recordName", "recordType", "fields", "parent"])
            writer.beginObject()
            writer.member("operationType", "forceReplace")
            writer.key("record")
            try SeedAsset.write(record, to: &writer, &files)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return SeedStep(
            user: user, address: address,
            command: try decode(.modifyRecords, writer.bytes, address, at: records.first),
            files: files)
    }

    private static func creation(
        of subscriptions: ArraySlice<JSONValue>, _ address: Database.Address
    ) throws(MockError) -> CloudCommand {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("operations")
        writer.beginArray()
        for subscription in subscriptions {
            writer.beginObject()
            writer.member("operationType", "create")
            writer.key("subscription")
            writer.value(subscription)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return try decode(.modifySubscriptions, writer.bytes, address, at: subscriptions.first)
    }

    private static func decode(
        _ operation: WireOperation, _ body: [UInt8], _ address: Database.Address,
        at place: JSONValue?
    ) throws(MockError) -> CloudCommand {
        do {
            let route = WireRoute(address: address, operation: operation)
            return try CommandDecoder().decode(route, body: body).command
        } catch {
            throw MockError(
                (place?.path ?? "") + " and the following: " + error.reason
                    + (place.map { " (\($0.location))" } ?? ""))
        }
    }
}
