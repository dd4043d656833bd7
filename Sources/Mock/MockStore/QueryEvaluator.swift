import CloudModel
import Glibc

/// Decides whether a record matches a query's filters, and how records sort.
struct QueryEvaluator {
    let query: Query
    let zoneID: RecordZone.ID
    /// Fields that a search without a field name looks at; nil for all texts.
    let searchableFields: Set<String>?

    func matches(_ record: StoredRecord) -> Bool {
        query.filters.allSatisfy { matches($0, record) }
    }

    // MARK: - Filters

    private func matches(_ filter: Query.Filter, _ record: StoredRecord) -> Bool {
        if filter.key == .anyField { return matchesAnyField(filter, record) }
        let value = value(of: filter.key, in: record)
        let wanted = filter.value
        switch filter.comparator {
        case .equals: return equals(value, wanted)
        case .notEquals: return !equals(value, wanted)
        case .lessThan: return value.map { Self.less($0, wanted) } ?? false
        case .lessThanOrEquals:
            return value.map { Self.less($0, wanted) || equals($0, wanted) } ?? false
        case .greaterThan: return value.map { Self.less(wanted, $0) } ?? false
        case .greaterThanOrEquals:
            return value.map { Self.less(wanted, $0) || equals($0, wanted) } ?? false
        case .near: return isNear(value, filter)
        case .containsAllTokens: return hasTokens(value.map { [$0] } ?? [], wanted, all: true)
        case .containsAnyTokens: return hasTokens(value.map { [$0] } ?? [], wanted, all: false)
        case .in: return Self.elements(wanted).contains { equals(value, $0) }
        case .notIn: return !Self.elements(wanted).contains { equals(value, $0) }
        case .beginsWith: return begins(value, wanted)
        case .notBeginsWith: return !begins(value, wanted)
        case .listContains: return contains(value, wanted)
        case .notListContains: return !contains(value, wanted)
        case .listContainsAll: return Self.elements(wanted).allSatisfy { contains(value, $0) }
        case .notListContainsAll: return !Self.elements(wanted).allSatisfy { contains(value, $0) }
        case .listContainsAny: return Self.elements(wanted).contains { contains(value, $0) }
        case .notListContainsAny: return !Self.elements(wanted).contains { contains(value, $0) }
        case .listMemberBeginsWith:
            return Self.elements(value).contains { begins($0, wanted) }
        case .notListMemberBeginsWith:
            return !Self.elements(value).contains { begins($0, wanted) }
        }
    }

    private func matchesAnyField(_ filter: Query.Filter, _ record: StoredRecord) -> Bool {
        let values = record.fields.filter { searchableFields?.contains($0.key) ?? true }
            .map(\.value.value)
        switch filter.comparator {
        case .containsAllTokens: return hasTokens(values, filter.value, all: true)
        case .containsAnyTokens: return hasTokens(values, filter.value, all: false)
        default: return false
        }
    }

    /// The value a filter or sort looks at.
    func value(of key: Query.Key, in record: StoredRecord) -> FieldValue? {
        switch key {
        case .field(let name):
            guard let field = record.fields[name], !field.isEncrypted else { return nil }
            return field.value
        case .anyField: return nil
        case .system(let field):
            switch field {
            case .recordName: return .reference(Record.Reference(record.name))
            case .share: return nil
            case .parent: return record.parent.map { .reference(Record.Reference($0)) }
            case .createdUserRecordName:
                return .reference(Record.Reference(record.created.userRecordName))
            case .modifiedUserRecordName:
                return .reference(Record.Reference(record.modified.userRecordName))
            case .createdTimestamp: return .timestamp(record.created.timestamp)
            case .modifiedTimestamp: return .timestamp(record.modified.timestamp)
            }
        }
    }

    private static func elements(_ value: FieldValue?) -> [FieldValue] {
        if case .list(_, let elements) = value { elements } else { [] }
    }

    private func equals(_ value: FieldValue?, _ wanted: FieldValue) -> Bool {
        guard let value else { return false }
        switch (value, wanted) {
        case (.reference(let left), .reference(let right)):
            return left.recordName == right.recordName
        // A system field may be given as the plain name.
        case (.reference(let left), .string(let right)): return left.recordName == right
        case (.int64(let left), .double(let right)): return Double(left) == right
        case (.double(let left), .int64(let right)): return left == Double(right)
        case (.asset(let left), .asset(let right)):
            return left.fileChecksum == right.fileChecksum
        case (.location(let left), .location(let right)):
            return left.latitude == right.latitude && left.longitude == right.longitude
        case (.list(_, let left), .list(_, let right)):
            return left.count == right.count
                && zip(left, right).allSatisfy { equals($0, $1) }
        default: return value == wanted
        }
    }

    private func contains(_ value: FieldValue?, _ wanted: FieldValue) -> Bool {
        Self.elements(value).contains { equals($0, wanted) }
    }

    private func begins(_ value: FieldValue?, _ wanted: FieldValue) -> Bool {
        guard case .string(let prefix) = wanted else { return false }
        switch value {
        case .string(let text): return text.utf8.starts(with: prefix.utf8)
        case .reference(let target): return target.recordName.utf8.starts(with: prefix.utf8)
        default: return false
        }
    }

    private func isNear(_ value: FieldValue?, _ filter: Query.Filter) -> Bool {
        guard case .location(let place) = value, case .location(let centre) = filter.value,
            let distance = filter.distance
        else { return false }
        return place.distance(to: centre) <= distance
    }

    // MARK: - Words

    private func hasTokens(_ values: [FieldValue], _ wanted: FieldValue, all: Bool) -> Bool {
        guard case .string(let text) = wanted else { return false }
        let words = Self.words(text)
        var present: Set<String> = []
        for value in values {
            switch value {
            case .string(let text): present.formUnion(Self.words(text))
            case .list(.string, let elements):
                for case .string(let text) in elements { present.formUnion(Self.words(text)) }
            default: break
            }
        }
        guard !words.isEmpty else { return false }
        return all ? present.isSuperset(of: words) : !present.isDisjoint(with: words)
    }

    /// A text's words, without regard to case.
    static func words(_ text: String) -> Set<String> {
        Set(
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    // MARK: - Order

    /// Whether `left` comes before `right`; values of different kinds are not in any order.
    static func less(_ left: FieldValue, _ right: FieldValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.int64(let left), .int64(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.int64(let left), .double(let right)): Double(left) < right
        case (.double(let left), .int64(let right)): left < Double(right)
        case (.timestamp(let left), .timestamp(let right)): left < right
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        case (.reference(let left), .reference(let right)):
            left.recordName.utf8.lexicographicallyPrecedes(right.recordName.utf8)
        case (.reference(let left), .string(let right)):
            left.recordName.utf8.lexicographicallyPrecedes(right.utf8)
        case (.string(let left), .reference(let right)):
            left.utf8.lexicographicallyPrecedes(right.recordName.utf8)
        default: false
        }
    }
}

extension Location {
    /// Metres along the surface of a sphere as large as the Earth.
    func distance(to other: Location) -> Double {
        let radius = 6_371_008.8
        let radians = Double.pi / 180
        let latitudes = (latitude * radians, other.latitude * radians)
        let rise = sin((latitudes.1 - latitudes.0) / 2)
        let run = sin((other.longitude - longitude) * radians / 2)
        let square = rise * rise + cos(latitudes.0) * cos(latitudes.1) * run * run
        return 2 * radius * asin(min(1, square.squareRoot()))
    }
}
