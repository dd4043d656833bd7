/// A value in a row or of a parameter, sent in PostgreSQL's binary format.
package enum Value: Sendable, Hashable, ExpressibleByNilLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    case null
    /// `bigint`; from `smallint`, `integer` and `oid` too.
    case integer(Int64)
    /// `double precision`.
    case real(Double)
    /// `boolean`.
    case bool(Bool)
    /// `text`; must not hold U+0000, which PostgreSQL refuses.
    case text(String)
    /// `bytea`; from `uuid` too.
    case bytes([UInt8])
    /// `timestamptz`, in microseconds since 1970-01-01 UTC.
    case time(microseconds: Int64)

    package init(nilLiteral: ()) { self = .null }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }

    /// From 1970 to PostgreSQL's own beginning of time, 2000-01-01.
    private static let epoch: Int64 = 946_684_800_000_000

    /// PostgreSQL's number for the type; 0 lets the server find out.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .integer: TypeNumber.int8
        case .real: TypeNumber.float8
        case .bool: TypeNumber.bool
        case .text: TypeNumber.text
        case .bytes: TypeNumber.bytea
        case .time: TypeNumber.timestamptz
        }
    }

    /// The binary format; nil for NULL.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let value): Self.bigEndian(UInt64(bitPattern: value))
        case .real(let value): Self.bigEndian(value.bitPattern)
        case .bool(let value): [value ? 1 : 0]
        case .text(let value): Array(value.utf8)
        case .bytes(let value): value
        case .time(let microseconds):
            Self.bigEndian(UInt64(bitPattern: microseconds - Self.epoch))
        }
    }

    /// Reads the binary format; nil when it is none of `type`, or `type` is none of ours.
    init?(decoding bytes: [UInt8], type: UInt32) {
        switch (type, bytes.count) {
        case (TypeNumber.bool, 1): self = .bool(bytes[0] != 0)
        case (TypeNumber.int2, 2):
            self = .integer(Int64(Int16(truncatingIfNeeded: Self.number(bytes))))
        case (TypeNumber.int4, 4):
            self = .integer(Int64(Int32(truncatingIfNeeded: Self.number(bytes))))
        case (TypeNumber.oid, 4): self = .integer(Int64(Self.number(bytes)))
        case (TypeNumber.int8, 8): self = .integer(Int64(bitPattern: Self.number(bytes)))
        case (TypeNumber.float8, 8): self = .real(Double(bitPattern: Self.number(bytes)))
        case (TypeNumber.timestamptz, 8):
            let (time, overflow) = Int64(bitPattern: Self.number(bytes))
                .addingReportingOverflow(Self.epoch)
            guard !overflow else { return nil }
            self = .time(microseconds: time)
        case (TypeNumber.text, _), (TypeNumber.name, _), (TypeNumber.varchar, _):
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            self = .text(text)
        case (TypeNumber.bytea, _), (TypeNumber.uuid, 16): self = .bytes(bytes)
        case (TypeNumber.void, _): self = .null
        default: return nil
        }
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
    }

    private static func number(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The numbers of the types that we exchange.
///
/// - SeeAlso: `pg_type.dat` in PostgreSQL's sources; they never change.
private enum TypeNumber {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let float8: UInt32 = 701
    static let varchar: UInt32 = 1043
    static let timestamptz: UInt32 = 1184
    static let void: UInt32 = 2278
    static let uuid: UInt32 = 2950
}
