import Basics

/// Hides bytes so that nobody comes upon them, as a search of files or of tokens for a text would. There is
/// no key, and whoever reads this can read what is hidden.
struct ByteMask {
    private var generator: SeededGenerator
    private var word: UInt64 = 0
    private var left = 0

    /// A mask of a seed's own.
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The mask of the encrypted fields of one version of a record: what an app sends to be encrypted
    /// stands nowhere in the store's files as it was sent, neither in rows nor in what SQLite leaves
    /// of deleted ones.
    init(name: String, tag: Int64) {
        self.init(seed: FNV1a.hash(name) ^ UInt64(bitPattern: tag))
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
