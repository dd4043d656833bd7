import CloudModel
import CloudWire
import MockStore

extension WireQuery {
    /// The keys that name a database.
    static let databaseKeys: [Shape.Member] = [
        .required("container"), "environment", "database", "user",
    ]
    /// The keys that name a zone.
    static let zoneKeys = databaseKeys + [.required("zone"), "owner"]

    /// A user's database, by default the private one in development; a public database has no user.
    func database() throws(AdminError) -> DatabaseKey {
        guard let text = self["container"] else {
            throw AdminError("needs ?container=IDENTIFIER")
        }
        guard let container = Container.ID(text) else {
            throw AdminError(
                "container \"\(text)\" " + (Container.ID.problem(in: text) ?? "is malformed"))
        }
        guard
            let environment = Container.Environment(rawValue: self["environment"] ?? "development")
        else { throw AdminError("?environment= must be development or production") }
        guard let scope = Database.Scope(rawValue: self["database"] ?? "private") else {
            throw AdminError("?database= must be private, shared or public")
        }
        let user = self["user"]
        guard (user == nil) == (scope == .public) else {
            throw AdminError(
                scope == .public
                    ? "a public database has no user: omit ?user="
                    : "needs ?user=NAME, whose \(scope.rawValue) database it is")
        }
        return DatabaseKey(
            address: Database.Address(
                container: container, environment: environment, scope: scope), user: user ?? "")
    }

    func zone() throws(AdminError) -> RecordZone.ID {
        guard let name = self["zone"] else { throw AdminError("needs ?zone=NAME") }
        return RecordZone.ID(name, ownerRecordName: self["owner"])
    }

    func limit(upTo max: Int) throws(AdminError) -> Int {
        guard let limit = try number("limit") else { return min(200, max) }
        guard (1...max).contains(limit) else {
            throw AdminError("?limit= must be a whole number from 1 to \(max)")
        }
        return limit
    }

    /// `true` or `false`; false if it is missing.
    func flag(_ name: String) throws(AdminError) -> Bool {
        guard let text = self[name] else { return false }
        guard let flag = Bool(text) else { throw AdminError("?\(name)= must be true or false") }
        return flag
    }

    /// A number from -1 on.
    func number(_ name: String) throws(AdminError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), (-1...1 << 40).contains(number) else {
            throw AdminError("?\(name)= must be a whole number")
        }
        return number
    }
}
