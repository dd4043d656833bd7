/// Finds the ends of lines, byte by byte, and refuses CR and LF that are not a pair.
struct LineScanner: Sendable, Hashable {
    /// Bytes of the line before its CR.
    private(set) var length = 0
    private(set) var isFirst = true
    private var sawReturn = false

    /// True when `byte` ends the line.
    mutating func accept(_ byte: UInt8) throws(HTTPParseError) -> Bool {
        if byte == Bytes.lineFeed {
            guard sawReturn else { throw HTTPParseError(.bareLineFeed) }
            return true
        }
        guard !sawReturn else { throw HTTPParseError(.bareCarriageReturn) }
        if byte == Bytes.carriageReturn {
            sawReturn = true
        } else {
            length += 1
        }
        return false
    }

    /// Takes `count` bytes that are neither CR nor LF.
    mutating func acceptPlain(_ count: Int) throws(HTTPParseError) {
        guard !sawReturn else { throw HTTPParseError(.bareCarriageReturn) }
        length += count
    }

    /// Starts the next line.
    mutating func beginNext() {
        length = 0
        sawReturn = false
        isFirst = false
    }
}
