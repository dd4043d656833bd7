import Donations

/// Canonical bytes for tests that play the other side.
enum PayloadValueBytes {
    static func dictionary(_ texts: [String: String], code: Int64? = nil) -> [UInt8] {
        var entries: [String: PayloadValue] = texts.mapValues { .string($0) }
        entries["code"] = code.map { .integer($0) }
        return PayloadValue.dictionary(entries).encoded
    }
}
