import CloudModel
import Foundation

// Predicates made from a format, evaluated here: Foundation on Linux has no predicates in words.
extension Query.Filter {
    /// Whether a record, or a dictionary of values that fields can hold, fulfils the condition.
    ///
    /// A field that is not there is different from every value, as in predicates on Apple's systems.
    func fits(_ object: Any?) -> Bool {
        if key == .anyField {
            return Self.texts(in: object).contains { hasTokens(in: $0) }
        }
        return fits(Self.value(of: key, in: object))
    }

    private func fits(_ found: FieldValue?) -> Bool {
        switch comparator {
        case .equals: found.map { $0.isSame(as: value) } ?? false
        case .notEquals: !(found.map { $0.isSame(as: value) } ?? false)
        case .lessThan: order(found).map { $0 < 0 } ?? false
        case .lessThanOrEquals: order(found).map { $0 <= 0 } ?? false
        case .greaterThan: order(found).map { $0 > 0 } ?? false
        case .greaterThanOrEquals: order(found).map { $0 >= 0 } ?? false
        case .near: isNear(found)
        case .in: found.map { one in value.elements.contains { $0.isSame(as: one) } } ?? false
        case .notIn: !(found.map { one in value.elements.contains { $0.isSame(as: one) } } ?? false)
        case .beginsWith: found.map { begins($0) } ?? false
        case .notBeginsWith: !(found.map { begins($0) } ?? false)
        case .containsAllTokens, .containsAnyTokens: found?.text.map { hasTokens(in: $0) } ?? false
        case .listContains: has(found) { $0.isSame(as: value) }
        case .notListContains: !has(found) { $0.isSame(as: value) }
        case .listMemberBeginsWith: has(found) { begins($0) }
        case .notListMemberBeginsWith: !has(found) { begins($0) }
        case .listContainsAny: has(found) { one in value.elements.contains { $0.isSame(as: one) } }
        case .notListContainsAny:
            !has(found) { one in value.elements.contains { $0.isSame(as: one) } }
        case .listContainsAll: hasAll(found)
        case .notListContainsAll: !hasAll(found)
        }
    }

    private func has(_ found: FieldValue?, _ fits: (FieldValue) -> Bool) -> Bool {
        found?.elements.contains(where: fits) ?? false
    }

    private func hasAll(_ found: FieldValue?) -> Bool {
        value.elements.allSatisfy { one in has(found) { $0.isSame(as: one) } }
    }

    private func begins(_ found: FieldValue) -> Bool {
        guard let text = found.text, let beginning = value.text else { return false }
        return text.hasPrefix(beginning)
    }

    private func hasTokens(in text: String) -> Bool {
        let words = Self.words(text)
        let wanted = Self.words(value.text ?? "")
        guard comparator == .containsAllTokens else { return !words.isDisjoint(with: wanted) }
        return !wanted.isEmpty && wanted.isSubset(of: words)
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    /// Below, at or above 0 as the field is below, at or above the value; nil: they do not compare.
    private func order(_ found: FieldValue?) -> Int? {
        switch (found, value) {
        case (.string(let left)?, .string(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.timestamp(let left)?, .timestamp(let right)):
            left < right ? -1 : left == right ? 0 : 1
        default:
            if let left = found?.number, let right = value.number {
                left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
            } else {
                nil
            }
        }
    }

    private func isNear(_ found: FieldValue?) -> Bool {
        guard case .location(let here)? = found, case .location(let there) = value, let distance
        else { return false }
        return CLLocation(here).distance(from: CLLocation(there)) <= distance
    }
}

extension FieldValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var elements: [FieldValue] {
        if case .list(_, let elements) = self { elements } else { [] }
    }
    fileprivate var number: Double? {
        switch self {
        case .int64(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Whether both are one value: numbers of both kinds compare, links by what they lead to.
    fileprivate func isSame(as other: FieldValue) -> Bool {
        switch (self, other) {
        case (.reference(let left), .reference(let right)):
            left.recordName == right.recordName
                && (left.zoneID == nil || right.zoneID == nil || left.zoneID == right.zoneID)
        case (.reference(let link), .string(let name)), (.string(let name), .reference(let link)):
            link.recordName == name
        case (.int64, .double), (.double, .int64): number == other.number
        default: self == other
        }
    }
}
