/// Reads the first part of a `multipart/form-data` body (RFC 7578) as it comes, and keeps no more of it
/// than a boundary is long.
package struct MultipartReader: Sendable {
    /// Why a body is not what its content type says.
    package enum Problem: String, Error, Sendable, CaseIterable {
        case noBoundary = "the content type names no boundary of 1 to 70 characters"
        case noPart = "the body has no part"
        case longHead = "the head of the first part is longer than 16 KiB"
        case cut = "the body ends before the boundary that ends its first part"
    }

    private enum Phase {
        /// Before the first boundary.
        case preamble
        /// In the head of the first part.
        case head
        case content
        /// After the first part.
        case epilogue
    }

    /// Bytes of the head of a part.
    private static let headBytesMax = 16 << 10
    private static let boundaryBytesMax = 70

    /// The boundary with the line end and dashes before it.
    private let delimiter: [UInt8]
    private var phase = Phase.preamble
    /// What cannot be told apart yet: at most a delimiter's length, or a head.
    private var pending: [UInt8] = [13, 10]

    /// - Throws: ``Problem/noBoundary``.
    /// - Returns: nil for bodies of another type.
    package init?(contentType: String) throws(Problem) {
        let parts = contentType.split(separator: ";")
        guard let type = parts.first,
            Self.trimmed(type).lowercased() == "multipart/form-data"
        else { return nil }
        for parameter in parts.dropFirst() {
            guard let equals = parameter.firstIndex(of: "="),
                Self.trimmed(parameter[..<equals]).lowercased() == "boundary"
            else { continue }
            var value = Self.trimmed(parameter[parameter.index(after: equals)...])
            if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = value.dropFirst().dropLast()
            }
            guard (1...Self.boundaryBytesMax).contains(value.utf8.count) else { break }
            delimiter = Array("\r\n--".utf8) + Array(value.utf8)
            return
        }
        throw .noBoundary
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }

    /// The bytes of the first part that are in the next piece of the body, or in what was kept of
    /// those before.
    package mutating func content(of piece: Span<UInt8>) throws(Problem) -> [UInt8] {
        if phase == .epilogue { return [] }
        pending.append(piece)
        if phase == .preamble {
            guard let end = try skipDelimiter() else { return [] }
            pending.removeFirst(end)
            phase = .head
        }
        if phase == .head {
            guard let end = try headEnd() else { return [] }
            pending.removeFirst(end)
            phase = .content
        }
        switch find(delimiter, in: pending) {
        case .some(let place):
            let content = Array(pending[..<place])
            pending = []
            phase = .epilogue
            return content
        case nil:
            let kept = min(pending.count, delimiter.count - 1)
            let content = Array(pending.dropLast(kept))
            pending = Array(pending.suffix(kept))
            return content
        }
    }

    /// Ends the body.
    package func finish() throws(Problem) {
        switch phase {
        case .preamble: throw .noPart
        case .head, .content: throw .cut
        case .epilogue: return
        }
    }

    /// Behind the first delimiter; nil when it has not come yet.
    private mutating func skipDelimiter() throws(Problem) -> Int? {
        guard let place = find(delimiter, in: pending) else {
            pending = Array(pending.suffix(delimiter.count - 1))
            return nil
        }
        return place + delimiter.count
    }

    /// Behind the empty line that ends the head; nil when it has not come yet.
    private func headEnd() throws(Problem) -> Int? {
        // The delimiter of an empty body has two dashes behind it.
        if pending.starts(with: [45, 45]) { throw .noPart }
        if let place = find([13, 10, 13, 10], in: pending), place <= Self.headBytesMax {
            return place + 4
        }
        guard pending.count < Self.headBytesMax + 4 else { throw .longHead }
        return nil
    }

    /// Where `text`, which begins with a carriage return, is first in `bytes`.
    private func find(_ text: [UInt8], in bytes: [UInt8]) -> Int? {
        var start = 0
        while start + text.count <= bytes.count {
            start = Bytes.first(text[0], in: bytes, start..<bytes.count)
            guard start + text.count <= bytes.count else { return nil }
            var matched = 1
            while matched < text.count, bytes[start + matched] == text[matched] { matched += 1 }
            if matched == text.count { return start }
            start += 1
        }
        return nil
    }
}
