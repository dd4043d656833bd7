import CloudModel
import CloudWire

// Requests that show the data, read from their queries.
extension AdminRequest {
    /// The keys that say which database is meant.
    static let databaseKeys: [Shape.Member] = [
        .required("container"), "environment", "database", "user",
    ]
    /// The keys that say which zone is meant.
    static let zoneKeys = databaseKeys + [.required("zone"), "owner"]

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
        let query = input.query
        return .showRecord(
            try database(query), try zone(query), name: name,
            numbersAsStrings: try query.flag("numbersAsStrings"))
    }

    /// One operation of `records/modify`; in a public database `by` says whose it is.
    static func recordChange(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let key = try database(input.query)
        guard let user = key.user.isEmpty ? input.query["by"] : key.user else {
            throw AdminError("needs ?by=USER, who changes the record of a public database")
        }
        guard key.user.isEmpty || input.query["by"] == nil else {
            throw AdminError("?by= is for public databases; others are changed by their user")
        }
        return .changeRecord(
            key, try zone(input.query), by: user,
            input.bytes.isEmpty ? Array("{}".utf8) : input.bytes)
    }

    static func search(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let query = input.query
        guard let name = query["name"], !name.isEmpty else {
            throw AdminError("needs ?name=RECORD NAME, which may contain * and ?")
        }
        let container: Container.ID? =
            if let text = query["container"] { try Container.ID(asked: text) } else { nil }
        return .search(
            Glob(name), ResetScope(user: query["user"], container: container),
            limit: try limit(query, upTo: RecordSearch.limitMax))
    }

    static func token(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let token = input.query["token"], !token.isEmpty else {
            throw AdminError("needs ?token=CHANGE TOKEN")
        }
        return .readToken(token)
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
        return .showAsset(
            WireTransfer.download.token(in: address) ?? "", range: input.range)
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
                    ? "a public database has no user: omit ?user="
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
    /// `true` or `false`; false where it is not said.
    func flag(_ name: String) throws(AdminError) -> Bool {
        guard let text = self[name] else { return false }
        guard let flag = Bool(text) else { throw AdminError("?\(name)= must be true or false") }
        return flag
    }

    /// A number from -1 on.
    fileprivate func number(_ name: String) throws(AdminError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), (-1...1 << 40).contains(number) else {
            throw AdminError("?\(name)= must be a whole number")
        }
        return number
    }
}
