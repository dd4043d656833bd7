import Basics
import CloudModel

/// Reads a record's fields, whatever they hold.
struct ExchangeFields {
    /// The bytes of a name or a text.
    static let textBytesMax = 64 * 1024
    /// The bytes of a canonical payload; larger ones would have to be assets.
    static let payloadBytesMax = 100 * 1024
    /// Texts in a list.
    static let listMax = 4096
    /// Further from 1970 than any time that is meant; keeps arithmetic away from its limits.
    static let millisecondsMax: Int64 = 8_640_000_000_000_000

    let record: Record

    /// A text; nil: there is no such field.
    func text(_ name: String) throws(SyncRefusal) -> String? {
        guard let field = record.fields[name] else { return nil }
        guard case .string(let text) = field.value, text.utf8.count <= Self.textBytesMax else {
            throw .unreadable
        }
        return text
    }

    /// A text that must be there.
    func required(_ name: String) throws(SyncRefusal) -> String {
        guard let text = try text(name) else { throw .unreadable }
        return text
    }

    func number(_ name: String) throws(SyncRefusal) -> Int64? {
        guard let field = record.fields[name] else { return nil }
        guard case .int64(let number) = field.value else { throw .unreadable }
        return number
    }

    func time(_ name: String) throws(SyncRefusal) -> Timestamp? {
        guard let field = record.fields[name] else { return nil }
        guard case .timestamp(let time) = field.value,
            (-Self.millisecondsMax...Self.millisecondsMax).contains(time.milliseconds)
        else { throw .unreadable }
        return time
    }

    func bytes(_ name: String, max: Int = payloadBytesMax) throws(SyncRefusal) -> [UInt8]? {
        guard let field = record.fields[name] else { return nil }
        guard case .bytes(let bytes) = field.value, bytes.count <= max else { throw .unreadable }
        return bytes
    }

    func texts(_ name: String) throws(SyncRefusal) -> [String] {
        guard let field = record.fields[name] else { return [] }
        guard case .list(_, let values) = field.value, values.count <= Self.listMax else {
            throw .unreadable
        }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value, text.utf8.count <= 128 else {
                throw .unreadable
            }
            texts.append(text)
        }
        return texts
    }

    /// The name of a record that a reference leads to.
    func reference(_ name: String) throws(SyncRefusal) -> String? {
        guard let field = record.fields[name] else { return nil }
        guard case .reference(let target) = field.value, ExchangeNames.isRow(target.recordName)
        else { throw .unreadable }
        return target.recordName
    }

    func context(_ name: String) throws(SyncRefusal) -> DeletionContext {
        guard let bytes = try bytes(name, max: 1 << 19) else { return [:] }
        guard let context = DeletionContext(decoding: bytes) else { throw .unreadable }
        return context
    }
}
