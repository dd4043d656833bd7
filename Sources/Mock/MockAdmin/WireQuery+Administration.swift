import CloudModel
import CloudWire
import MockService
import MockStore

extension WireQuery {
    /// The keys that name a database.
    static let databaseKeys: [Shape.Member] = [
        .required("container"), "environment", "database", "user",
    ]
    /// The keys that name a zone.
    static let zoneKeys = databaseKeys + [.required("zone"), "owner"]

    /// A user's database, by default the private one in development; a public database has no user.
    func database() throws(MockError) -> DatabaseKey {
        guard let text = self["container"] else {
            throw MockError("needs ?container=IDENTIFIER")
        }
        guard let container = Container.ID(text) else {
            throw MockError(
                "container \"\(text)\" " + (Container.ID.problem(in: text) ?? "is malformed"))
        }
        guard
            let environment = Container.Environment(rawValue: self["environment"] ?? "development")
        else { throw MockError("?environment= must be development or production") }
        guard let scope = Database.Scope(rawValue: self["database"] ?? "private") else {
            throw MockError("?database= must be private, shared or public")
        }
        let user = self["user"]
        guard (user == nil) == (scope == .public) else {
            throw MockError(
                scope == .public
                    ? "a public database has no user: omit ?user="
                    : "needs ?user=NAME, whose \(scope.rawValue) database it is")
        }
        return DatabaseKey(
            address: Database.Address(
                container: container, environment: environment, scope: scope), user: user ?? "")
    }

    func zone() throws(MockError) -> RecordZone.ID {
        guard let name = self["zone"] else { throw MockError("needs ?zone=NAME") }
        return RecordZone.ID(name, ownerRecordName: self["owner"])
    }

    func limit(upTo max: Int) throws(MockError) -> Int {
        guard let limit = try number("limit") else { return min(200, max) }
        guard (1...max).contains(limit) else {
            throw MockError("?limit= must be a whole number from 1 to \(max)")
        }
        return limit
    }

    /// `true` or `false`; false if it is missing.
    func flag(_ name: String) throws(MockError) -> Bool {
        guard let text = self[name] else { return false }
        guard let flag = Bool(text) else { throw MockError("?\(name)= must be true or false") }
        return flag
    }

    /// A number from -1 on.
    func number(_ name: String) throws(MockError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), (-1...1 << 40).contains(number) else {
            throw MockError("?\(name)= must be a whole number")
        }
        return number
    }
}
