package import Donations
internal import Foundation

/// Why something cannot be kept in a `userInfo` or as an intent's parameter.
package enum PayloadFailure: Error, Hashable, Sendable {
    /// Its type, or a key's, is none of the allowed ones; the type's name.
    case disallowedType(String)
    /// Containers are nested deeper than the encoding can tell.
    case tooDeep
}

extension PayloadValue {
    /// The value that `object` has, with all that it contains.
    ///
    /// Ten types are allowed, and Swift's own types for them: `NSArray`, `NSData`, `NSDate`,
    /// `NSDictionary`, `NSNull`, `NSNumber`, `NSSet`, `NSString`, `NSURL` and `NSUUID`. Numbers
    /// are equal when their values are, as `NSNumber`s are.
    package init(object: Any) throws(PayloadFailure) {
        self = try Self.value(of: object, depth: 0)
    }

    private static func value(of object: Any, depth: Int) throws(PayloadFailure) -> PayloadValue {
        guard depth < depthMax else { throw .tooDeep }
        switch object {
        case is NSNull: return .null
        case let string as String: return .string(string)
        case let number as NSNumber: return try Self.number(number)
        case let data as Data: return .data([UInt8](data))
        case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
        case let url as URL: return .url(url.absoluteString)
        case let uuid as UUID: return .uuid(bytes(of: uuid))
        case let array as [Any]:
            var values: [PayloadValue] = []
            for element in array { values.append(try value(of: element, depth: depth + 1)) }
            return .array(values)
        case let dictionary as [AnyHashable: Any]:
            var pairs: [(key: PayloadValue, value: PayloadValue)] = []
            for (key, element) in dictionary {
                pairs.append(
                    (
                        try value(of: key.base, depth: depth + 1),
                        try value(of: element, depth: depth + 1)
                    ))
            }
            return .dictionary(pairs)
        case let set as Set<AnyHashable>:
            var values: [PayloadValue] = []
            for element in set { values.append(try value(of: element.base, depth: depth + 1)) }
            return .set(values)
        default: throw .disallowedType(String(describing: type(of: object)))
        }
    }

    private static func number(_ number: NSNumber) throws(PayloadFailure) -> PayloadValue {
        if ObjectIdentifier(type(of: number)) == ObjectIdentifier(type(of: NSNumber(value: true))) {
            return .bool(number.boolValue)
        }
        if number.isEqual(to: NSNumber(value: number.int64Value)) {
            return .integer(number.int64Value)
        }
        let unsigned = number.uint64Value
        if number.doubleValue > 0, number.isEqual(to: NSNumber(value: unsigned)),
            UInt64(exactly: Double(unsigned)) != unsigned
        {
            throw .disallowedType("UInt64")
        }
        return .double(number.doubleValue)
    }

    private static func bytes(of uuid: UUID) -> [UInt8] {
        let u = uuid.uuid
        return [
            u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
        ]
    }

    /// What an app gets: numbers as `NSNumber`, to be cast to any number type, else Swift's types.
    package var object: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let value): value
        case .data(let value): Data(value)
        case .date(let value): Date(timeIntervalSinceReferenceDate: value)
        case .url(let text): URL(string: text) ?? text as Any
        case .uuid(let bytes): Self.uuid(of: bytes)
        case .array(let values): values.map(\.object)
        case .set(let values): Set(values.map(\.hashableObject))
        case .dictionary: dictionaryObject
        }
    }

    /// The entries of a dictionary, as an app gets them; empty for anything else.
    package var dictionaryObject: [AnyHashable: Any] {
        guard case .dictionary(let pairs) = self else { return [:] }
        var objects: [AnyHashable: Any] = [:]
        for (key, value) in pairs { objects[key.hashableObject] = value.object }
        return objects
    }

    private var hashableObject: AnyHashable {
        // What is not hashable itself, an array of arrays say, is found by an equal value only.
        object as? AnyHashable ?? AnyHashable(self)
    }

    private static func uuid(of bytes: [UInt8]) -> Any {
        guard bytes.count == 16 else { return NSNull() }
        let b = bytes
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
                b[13], b[14], b[15]
            ))
    }
}
