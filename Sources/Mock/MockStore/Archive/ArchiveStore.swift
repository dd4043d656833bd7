import JSON
import SQLite

/// The line of an archive with what is told of a store as a whole.
struct ArchiveStore: Hashable {
    /// The record names of users are made with it.
    var seed: Int64 = 0
    /// The history that tokens were given in.
    var epoch: UInt32 = 0
    /// No zone and no share has a larger number.
    var incarnation: Int64 = 0

    /// Of the store that a connection has.
    init(_ connection: Connection) throws(SQLiteError) {
        for row in try connection.rows("SELECT key, value FROM meta") {
            let number = row[1].int64 ?? 0
            switch row[0].string {
            case "seed": seed = number
            case "epoch": epoch = UInt32(truncatingIfNeeded: number)
            case "incarnation": incarnation = number
            default: break
            }
        }
        let told = try connection.rows("SELECT value FROM meta WHERE key = 'untouched'")
        if let number = told.first?[0].int64 { epoch = UInt32(truncatingIfNeeded: number) }
    }

    init(_ json: JSONValue) throws(ArchiveError) {
        seed = try Self.number(json, "seed", .min ... .max)
        epoch = UInt32(try Self.number(json, "epoch", 0...Int64(UInt32.max)))
        incarnation = try Self.number(json, "incarnation", 0...1 << 40)
    }

    private static func number(
        _ json: JSONValue, _ key: String, _ range: ClosedRange<Int64>
    ) throws(ArchiveError) -> Int64 {
        guard let number = json[key]?.int64, range.contains(number) else {
            throw ArchiveError(
                json[key] ?? json,
                "\"\(key)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.object(ArchiveFormat.store) {
            $0.member("seed", seed)
            $0.member("epoch", Int64(epoch))
            $0.member("incarnation", incarnation)
        }
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
