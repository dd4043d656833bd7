internal import Foundation

/// Keeps properties by their names, in the form in which they are stored.
protocol ValuesByName: AnyObject {
    var values: [String: Any] { get set }
}

extension ValuesByName {
    /// A property; nil when it has no value, or one of another type.
    func value<Value>(_ name: String) -> Value? { values[name].flatMap(KeptValue.read) }

    /// Sets a property; nil takes its value away.
    func put(_ value: Any?, _ name: String) { values[name] = value.map(KeptValue.form) }
}

/// The form in which a property is kept: what the donation store has no word for becomes a number.
enum KeptValue {
    /// The form of a value: a case is its number, a quantity is in the base unit of its kind.
    static func form(_ value: Any) -> Any {
        switch value {
        case let value as any KeptDifferently: value.kept
        case let value as any RawRepresentable: number(value.rawValue)
        default: value
        }
    }

    /// The value that was kept, as the property's type.
    static func read<Value>(_ kept: Any) -> Value? {
        if let value = kept as? Value { return value }
        if Value.self == NSNumber.self {
            return (kept as? Int).map { NSNumber(value: $0) } as? Value
        }
        if let type = Value.self as? any KeptDifferently.Type { return type.init(kept) as? Value }
        if let type = Value.self as? any RawRepresentable.Type { return make(type, kept) as? Value }
        return nil
    }

    private static func number(_ raw: Any) -> Any {
        (raw as? UInt).map { Int(clamping: $0) } ?? raw
    }

    private static func make<Raw: RawRepresentable>(_ type: Raw.Type, _ kept: Any) -> Raw? {
        if let raw = kept as? Raw.RawValue { return Raw(rawValue: raw) }
        let bits = (kept as? Int).flatMap { UInt(exactly: $0) as? Raw.RawValue }
        return bits.flatMap { Raw(rawValue: $0) }
    }
}

/// A value that is kept as another.
protocol KeptDifferently {
    var kept: Any { get }
    init?(_ kept: Any)
}

// The store keeps a whole number as an integer.
extension Double: KeptDifferently {
    var kept: Any { self }
    init?(_ kept: Any) {
        guard let number = StoredValue.double(kept) else { return nil }
        self = number
    }
}

extension Float: KeptDifferently {
    var kept: Any { Double(self) }
    init?(_ kept: Any) {
        guard let number = StoredValue.double(kept) else { return nil }
        self.init(number)
    }
}

extension Measurement: KeptDifferently where UnitType: Dimension {
    var kept: Any { converted(to: UnitType.baseUnit()).value }
    init?(_ kept: Any) {
        guard let number = StoredValue.double(kept) else { return nil }
        self.init(value: number, unit: UnitType.baseUnit())
    }
}

extension NSRange: KeptDifferently {
    var kept: Any { [location, length] }
    init?(_ kept: Any) {
        guard let ends = kept as? [Int], ends.count == 2 else { return nil }
        self.init(location: ends[0], length: ends[1])
    }
}
