import CloudModel

/// Queries in the store's row format.
extension ByteWriter {
    mutating func query(_ query: Query) {
        string(query.recordType)
        list(query.filters) { $0.filter($1) }
        list(query.sorts) { $0.sort($1) }
    }

    mutating func filter(_ filter: Query.Filter) {
        string(filter.comparator.rawValue)
        key(filter.key)
        value(filter.value)
        byte(filter.isTyped ? 1 : 0)
        optional(filter.distance) { $0.double($1) }
    }

    mutating func sort(_ sort: Query.Sort) {
        key(sort.key)
        byte(sort.ascending ? 1 : 0)
        optional(sort.relativeLocation) { $0.location($1) }
    }

    private mutating func key(_ key: Query.Key) {
        switch key {
        case .field(let name):
            byte(0)
            string(name)
        case .system(let field):
            byte(1)
            string(field.rawValue)
        case .anyField: byte(2)
        }
    }
}

extension ByteReader {
    mutating func query() -> Query {
        let type = string()
        let filters = list { $0.filter() }
        return Query(recordType: type, filters: filters, sorts: list { $0.sort() })
    }

    private mutating func filter() -> Query.Filter {
        let comparator = Query.Comparator(rawValue: string())
        if comparator == nil { _ = failed() }
        let key = key()
        let value = value()
        let isTyped = byte() != 0
        return Query.Filter(
            comparator ?? .equals, key, value, isTyped: isTyped,
            distance: optional { $0.double() })
    }

    private mutating func sort() -> Query.Sort {
        let key = key()
        let ascending = byte() != 0
        return Query.Sort(
            key, ascending: ascending, relativeLocation: optional { $0.location() })
    }

    private mutating func key() -> Query.Key {
        switch byte() {
        case 0: return .field(string())
        case 1:
            if let field = Query.SystemField(rawValue: string()) { return .system(field) }
            _ = failed()
            return .anyField
        default: return .anyField
        }
    }
}
