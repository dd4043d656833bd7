internal import Donations
internal import Foundation

/// A type that an attribute can have.
protocol AttributeValue {
    /// The value as the store keeps it.
    var attribute: PayloadValue { get }
    /// The value of what the store keeps; nil for another kind.
    init?(attribute: PayloadValue)
}

extension String: AttributeValue {
    var attribute: PayloadValue { .string(self) }
    init?(attribute: PayloadValue) {
        guard case .string(let text) = attribute else { return nil }
        self = text
    }
}

extension Date: AttributeValue {
    var attribute: PayloadValue { .date(timeIntervalSinceReferenceDate) }
    init?(attribute: PayloadValue) {
        guard case .date(let seconds) = attribute else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension Data: AttributeValue {
    var attribute: PayloadValue { .data([UInt8](self)) }
    init?(attribute: PayloadValue) {
        guard case .data(let bytes) = attribute else { return nil }
        self.init(bytes)
    }
}

extension URL: AttributeValue {
    var attribute: PayloadValue { .url(absoluteString) }
    init?(attribute: PayloadValue) {
        guard case .url(let text) = attribute else { return nil }
        self.init(string: text)
    }
}

extension Array: AttributeValue where Element: AttributeValue {
    var attribute: PayloadValue { .array(map(\.attribute)) }
    init?(attribute: PayloadValue) {
        guard case .array(let values) = attribute else { return nil }
        self = values.compactMap(Element.init(attribute:))
    }
}

/// Stands in for `NSNumber`, whose initialisers cannot come from a protocol.
struct AttributeNumber: AttributeValue {
    let number: NSNumber

    init(_ number: NSNumber) { self.number = number }

    var attribute: PayloadValue { (try? PayloadValue(object: number)) ?? .null }
    init?(attribute: PayloadValue) {
        switch attribute {
        case .bool(let value): number = NSNumber(value: value)
        case .integer(let value): number = NSNumber(value: value)
        case .double(let value): number = NSNumber(value: value)
        default: return nil
        }
    }
}

extension PayloadValue {
    /// The value as one of Foundation's objects; nil for null.
    var codingObject: (any NSSecureCoding)? {
        switch self {
        case .null: nil
        case .string(let text): NSString(string: text)
        case .data(let bytes): NSData(data: Data(bytes))
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .url(let text): NSURL(string: text)
        case .array(let values): NSArray(array: values.compactMap(\.codingObject))
        default: object as? NSNumber
        }
    }
}

extension CSSearchableItemAttributeSet {
    func number(_ name: String) -> NSNumber? {
        let value: AttributeNumber? = self[name]
        return value?.number
    }

    func setNumber(_ name: String, _ number: NSNumber?) {
        self[name] = number.map(AttributeNumber.init)
    }

    func people(_ name: String) -> [CSPerson]? {
        let value: [AttributePerson]? = self[name]
        return value?.map(\.person)
    }

    func setPeople(_ name: String, _ people: [CSPerson]?) {
        self[name] = people?.map(AttributePerson.init)
    }
}

/// Stands in for ``CSPerson``, for the same reason.
struct AttributePerson: AttributeValue {
    let person: CSPerson

    init(_ person: CSPerson) { self.person = person }

    var attribute: PayloadValue { person.attribute }
    init?(attribute: PayloadValue) {
        guard let person = CSPerson(attribute: attribute) else { return nil }
        self.person = person
    }
}
