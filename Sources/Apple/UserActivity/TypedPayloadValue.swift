internal import Donations
internal import Foundation

/// A value of a typed payload on its way between a property list and a `userInfo`.
struct TypedPayloadValue: Codable {
    let value: PayloadValue

    init(value: PayloadValue) { self.value = value }

    static func userInfo(_ entries: [String: TypedPayloadValue]) -> [AnyHashable: Any] {
        PayloadValue.dictionary(entries.map { (key: .string($0.key), value: $0.value.value) })
            .dictionaryObject
    }

    init(from decoder: any Decoder) throws {
        if let entries = try? [String: TypedPayloadValue](from: decoder) {
            value = .dictionary(
                entries.map { (key: .string($0.key), value: $0.value.value) })
        } else if let values = try? [TypedPayloadValue](from: decoder) {
            value = .array(values.map(\.value))
        } else {
            value = try Self.scalar(in: try decoder.singleValueContainer())
        }
    }

    private static func scalar(
        in container: any SingleValueDecodingContainer
    ) throws -> PayloadValue {
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .double(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Data.self) { return .data([UInt8](value)) }
        return .date(try container.decode(Date.self).timeIntervalSinceReferenceDate)
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .array(let values): try values.map(TypedPayloadValue.init).encode(to: encoder)
        case .set(let values): try values.map(TypedPayloadValue.init).encode(to: encoder)
        case .dictionary(let entries):
            var named: [String: TypedPayloadValue] = [:]
            for case (key: .string(let key), let value) in entries {
                named[key] = TypedPayloadValue(value: value)
            }
            try named.encode(to: encoder)
        case .url(let text): try ["relative": text].encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            try encode(in: &container)
        }
    }

    private func encode(in container: inout any SingleValueEncodingContainer) throws {
        switch value {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode(Data(value))
        case .date(let value): try container.encode(Date(timeIntervalSinceReferenceDate: value))
        case .uuid: try container.encode((value.object as? UUID)?.uuidString)
        case .null, .url, .array, .set, .dictionary: try container.encodeNil()
        }
    }
}
