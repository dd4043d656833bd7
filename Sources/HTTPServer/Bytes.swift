/// Small questions about bytes of ASCII text.
enum Bytes {
    /// `A`-`Z` become `a`-`z`.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
