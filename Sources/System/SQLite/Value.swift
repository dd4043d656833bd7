/// A value in a row, for calls whose speed does not matter.
package enum Value: Sendable, Hashable, ExpressibleByNilLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByFloatLiteral
{
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// SQL's NULL.
    package init(nilLiteral: ()) { self = .null }
    /// An integer.
    package init(integerLiteral value: Int64) { self = .integer(value) }
    /// A text.
    package init(stringLiteral value: String) { self = .text(value) }
    /// A number.
    package init(floatLiteral value: Double) { self = .real(value) }

    /// The integer, or nil for any other kind.
    package var int64: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The text, or nil for any other kind.
    package var string: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes, or nil for any other kind.
    package var bytes: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
    /// The number, or nil for any other kind.
    package var double: Double? { if case .real(let value) = self { value } else { nil } }
}

/// What a parameter of a statement can be set to.
package protocol ValueConvertible {
    /// The value in a row.
    var sqlValue: Value { get }
}

extension Value: ValueConvertible {
    package var sqlValue: Value { self }
}

extension Int64: ValueConvertible {
    package var sqlValue: Value { .integer(self) }
}

extension Int: ValueConvertible {
    package var sqlValue: Value { .integer(Int64(self)) }
}

extension Bool: ValueConvertible {
    package var sqlValue: Value { .integer(self ? 1 : 0) }
}

extension String: ValueConvertible {
    package var sqlValue: Value { .text(self) }
}

extension [UInt8]: ValueConvertible {
    package var sqlValue: Value { .blob(self) }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
    package var sqlValue: Value { map(\.sqlValue) ?? .null }
}
