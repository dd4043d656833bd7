internal import CloudModel
internal import JSON

/// Reads queries in requests and in subscriptions.
struct QueryReader {
    var fields = FieldReader()

    /// Comparators as other tools of the service spell them.
    private static let otherSpellings: [String: Query.Comparator] = [
        "LIST_NOT_CONTAINS": .notListContains, "LIST_NOT_CONTAINS_ALL": .notListContainsAll,
        "LIST_NOT_CONTAINS_ANY": .notListContainsAny,
        "LIST_NOT_MEMBER_BEGINS_WITH": .notListMemberBeginsWith,
        "CONTAINS_ANY": .listContainsAny,
    ]

    func query(_ value: JSONValue) throws(ShapeError) -> Query {
        let object = try value.object()
        guard let recordType = try object.filledText("recordType") else {
            throw .missing("recordType", in: object)
        }
        var query = Query(recordType: recordType)
        if let filters = try object.list("filterBy") {
            for filter in filters { query.filters.append(try self.filter(filter)) }
        }
        if let sorts = try object.list("sortBy") {
            for sort in sorts { query.sorts.append(try self.sort(sort)) }
        }
        return query
    }

    private func filter(_ value: JSONValue) throws(ShapeError) -> Query.Filter {
        let object = try value.object()
        let distance = try distance(object)
        let comparator = try comparator(object) ?? (distance == nil ? .equals : .near)
        let operand = try fields.operand(try object.required("fieldValue"))
        let searchesTokens = comparator == .containsAllTokens || comparator == .containsAnyTokens
        guard let key = try key(object) ?? (searchesTokens ? .anyField : nil) else {
            throw .missing("fieldName", in: object)
        }
        return Query.Filter(
            comparator, key, operand.value, isTyped: operand.isTyped, distance: distance)
    }

    private func sort(_ value: JSONValue) throws(ShapeError) -> Query.Sort {
        let object = try value.object()
        guard let key = try key(object) else { throw .missing("fieldName", in: object) }
        var sort = Query.Sort(key, ascending: try object.flag("ascending") ?? true)
        if let place = object.optional("relativeLocation") {
            guard case .location(let location) = try fields.operand(place).value else {
                throw .invalid(place, type: "LOCATION")
            }
            sort.relativeLocation = location
        }
        return sort
    }

    private func key(_ object: JSONValue) throws(ShapeError) -> Query.Key? {
        if let name = try object.filledText("systemFieldName") {
            guard
                let field = Query.SystemField(rawValue: name) ?? Query.SystemField(storedName: name)
            else {
                throw .wrong(
                    try object.required("systemFieldName"), expected: "a system field's name")
            }
            return .system(field)
        }
        guard let name = try object.filledText("fieldName") else { return nil }
        return Query.SystemField(storedName: name).map { .system($0) } ?? .field(name)
    }

    private func comparator(_ object: JSONValue) throws(ShapeError) -> Query.Comparator? {
        guard let name = try object.filledText("comparator") else { return nil }
        guard let comparator = Query.Comparator(rawValue: name) ?? Self.otherSpellings[name]
        else { throw .wrong(try object.required("comparator"), expected: "a comparator") }
        return comparator
    }

    private func distance(_ object: JSONValue) throws(ShapeError) -> Double? {
        guard let value = object.optional("distance") else { return nil }
        guard let metres = value.double, metres >= 0 else {
            throw .wrong(value, expected: "a number of metres")
        }
        return metres
    }
}

extension JSONWriter {
    /// `"query": { … }`; nothing when there is none.
    mutating func query(_ query: Query?) {
        guard let query else { return }
        object("query") { json in
            json.member("recordType", query.recordType)
            if !query.filters.isEmpty { json.array("filterBy", query.filters) { $0.filter($1) } }
            if !query.sorts.isEmpty { json.array("sortBy", query.sorts) { $0.sort($1) } }
        }
    }

    private mutating func filter(_ filter: Query.Filter) {
        beginObject()
        member("comparator", filter.comparator.rawValue)
        queryKey(filter.key)
        key("fieldValue")
        field(Field(filter.value), isTyped: filter.isTyped)
        member("distance", filter.distance)
        endObject()
    }

    private mutating func sort(_ sort: Query.Sort) {
        beginObject()
        queryKey(sort.key)
        member("ascending", sort.ascending)
        if let place = sort.relativeLocation {
            key("relativeLocation")
            field(Field(.location(place)), isTyped: true)
        }
        endObject()
    }

    private mutating func queryKey(_ key: Query.Key) {
        switch key {
        case .field(let name): member("fieldName", name)
        case .system(let field): member("systemFieldName", field.rawValue)
        case .anyField: break
        }
    }
}
