/// A place in a JSON text.
package struct JSONLocation: Sendable, Hashable, CustomStringConvertible {
    /// From 1; lines end with a line feed.
    package let line: Int
    /// Characters from 1.
    package let column: Int
    /// Bytes from 0.
    package let offset: Int

    /// The place `offset` bytes into `bytes`.
    package init(offset: Int, in bytes: [UInt8]) {
        let end = min(offset, bytes.count)
        let before = bytes[..<end]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = before.count { $0 == 0x0A } + 1
        column = String(decoding: bytes[lineStart..<end], as: UTF8.self).count + 1
        self.offset = end
    }

    /// `line 3, column 14`
    package var description: String { "line \(line), column \(column)" }
}
