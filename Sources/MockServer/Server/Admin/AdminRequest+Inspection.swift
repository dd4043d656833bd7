import CloudModel
import CloudWire

// Requests that show the data, read from their queries.
extension AdminRequest {
    /// The keys that say which database is meant.
    static let databaseKeys = ["container", "environment", "database", "user"]
    /// The keys that say which zone is meant.
    static let zoneKeys = databaseKeys + ["zone", "owner"]

    static func zones(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let query = input.query
        return .listZones(
            try database(query), after: Int64(try query.number("after") ?? -1),
            limit: try limit(query, upTo: ZoneListing.limitMax))
    }

    static func records(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let query = input.query
        var request = RecordListing.Request()
        request.after = query["after"] ?? ""
        request.limit = try limit(query, upTo: RecordListing.limitMax)
        request.name = query["name"].map { Glob($0) }
        request.type = query["type"]
        if let text = query["deleted"] {
            guard let deleted = RecordListing.Deleted(rawValue: text) else {
                throw AdminError("?deleted= must be no, also or only")
            }
            request.deleted = deleted
        }
        return .listRecords(try database(query), try zone(query), request)
    }

    static func record(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let name = input.query["name"] else { throw AdminError("needs ?name=RECORD NAME") }
        return .showRecord(try database(input.query), try zone(input.query), name: name)
    }

    static func shares(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let key = try database(input.query)
        guard case .private = key.address.scope else {
            throw AdminError("shares are in their owner's private database")
        }
        return .listShares(
            key, after: Int64(try input.query.number("after") ?? 0),
            limit: try limit(input.query, upTo: MockStore.sharesMax))
    }

    static func asset(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let address = input.query["downloadURL"] else {
            throw AdminError("needs ?downloadURL= of a field of GET record")
        }
        return .showAsset(WireTransfer.download.token(in: address) ?? "")
    }

    /// A user's database, private in development unless something else is said; a public one is nobody's.
    private static func database(_ query: WireQuery) throws(AdminError) -> DatabaseKey {
        guard let text = query["container"] else {
            throw AdminError("needs ?container=IDENTIFIER")
        }
        guard let container = Container.ID(text) else {
            throw AdminError(
                "container \"\(text)\" " + (Container.ID.problem(in: text) ?? "is malformed"))
        }
        guard
            let environment = Container.Environment(rawValue: query["environment"] ?? "development")
        else { throw AdminError("?environment= must be development or production") }
        guard let scope = Database.Scope(rawValue: query["database"] ?? "private") else {
            throw AdminError("?database= must be private, shared or public")
        }
        let user = query["user"]
        guard (user == nil) == (scope == .public) else {
            throw AdminError(
                scope == .public
                    ? "a public database is nobody's: leave ?user= out"
                    : "needs ?user=NAME, whose \(scope.rawValue) database it is")
        }
        return DatabaseKey(
            address: Database.Address(
                container: container, environment: environment, scope: scope), user: user ?? "")
    }

    private static func zone(_ query: WireQuery) throws(AdminError) -> RecordZone.ID {
        guard let name = query["zone"] else { throw AdminError("needs ?zone=NAME") }
        return RecordZone.ID(name, ownerRecordName: query["owner"])
    }

    private static func limit(_ query: WireQuery, upTo max: Int) throws(AdminError) -> Int {
        guard let limit = try query.number("limit") else { return min(200, max) }
        guard (1...max).contains(limit) else {
            throw AdminError("?limit= must be a whole number from 1 to \(max)")
        }
        return limit
    }
}

extension WireQuery {
    /// A number from -1 on.
    fileprivate func number(_ name: String) throws(AdminError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), (-1...1 << 40).contains(number) else {
            throw AdminError("?\(name)= must be a whole number")
        }
        return number
    }
}
