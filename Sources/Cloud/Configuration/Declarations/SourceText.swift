/// The text of a file, by lines.
struct SourceText {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = Self.withoutMark(bytes) }

    /// The bytes without a byte order mark.
    static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    }

    /// Lines without their ends, which may be `\n`, `\r\n` or `\r`.
    var lines: [String] {
        String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0.isNewline }.map { String($0) }
    }

    /// Whether it is text of an encoding in which keys cannot be looked for.
    var isUnreadable: Bool {
        bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    }

    func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    /// The line of a text, from 1: the first after `key`, or else that of `key`; nil where neither
    /// is written as it is, as in a binary file.
    func line(of text: String?, after key: String) -> Int? {
        guard !bytes.starts(with: Array("bplist".utf8)),
            let start = bytes.firstRange(of: Array(key.utf8))
        else { return nil }
        let found = text.flatMap { bytes[start.upperBound...].firstRange(of: Array($0.utf8)) }
        return 1 + bytes[..<(found ?? start).lowerBound].count { $0 == 0x0A }
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    var trimmed: String { Substring(self).trimmingBlank }
}
