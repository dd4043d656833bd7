import CloudModel

/// Hides the bytes of one record's encrypted fields in its row.
///
/// What an app sends to be encrypted stands nowhere in the store's files as it was sent, neither
/// in rows nor in what SQLite leaves of deleted ones: a search of the files for a text finds it
/// only where it was sent in the clear. That is all it is good for. There is no key, and whoever
/// reads this can read the fields.
struct FieldMask {
    private var generator: SeededGenerator
    private var word: UInt64 = 0
    private var left = 0

    /// The mask of one version of a record.
    init(name: String, tag: Int64) {
        generator = SeededGenerator(seed: FNV1a.hash(name) ^ UInt64(bitPattern: tag))
    }

    /// Hides the next bytes, or shows them again.
    mutating func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { byte in
            if left == 0 {
                word = generator.next()
                left = 8
            }
            defer {
                word >>= 8
                left -= 1
            }
            return byte ^ UInt8(truncatingIfNeeded: word)
        }
    }
}
