/// The part of a content that a `Range` field asks for (RFC 9110 section 14), of which one range of
/// bytes is understood. `If-Range` is for those to look at who know the content's validator.
package enum ByteRange: Sendable, Hashable {
    /// No range was asked for, or in no way that has to be understood: the answer is 200.
    case whole
    /// These bytes, at least one: the answer is 206.
    case part(Range<Int>)
    /// Nothing of the content is in the range: the answer is 416.
    case unsatisfiable

    /// - Parameters:
    ///   - field: The value of `Range` in a GET request; other methods have none.
    ///   - length: Of the whole content.
    package init(_ field: String?, of length: Int) {
        self = field.flatMap { Self.parse($0, length) } ?? .whole
    }

    /// nil where the field is to be ignored, as one that is malformed is.
    private static func parse(_ field: String, _ length: Int) -> ByteRange? {
        let parts = field.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let count = number(ends[1]) else { return nil }
            let start = max(0, length - count)
            return start < length ? .part(start..<length) : .unsatisfiable
        case (false, let isOpen):
            guard let first = number(ends[0]), let last = isOpen ? Int.max : number(ends[1]),
                first <= last
            else { return nil }
            return first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        }
    }

    /// Digits alone; what is too large for an `Int` is beyond every content.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text) ?? .max
    }
}

extension HTTPResponse {
    /// The answer to a GET for a content: the range that is asked for, or the whole.
    ///
    /// - Parameters:
    ///   - field: The value of `Range`.
    ///   - length: Of the whole content.
    ///   - content: Makes what is to be sent of it.
    package init(
        range field: String?, of length: Int, headers: HTTPHeaders = [:],
        _ content: (Range<Int>) -> any HTTPBodySource
    ) {
        var headers = headers
        headers.append("accept-ranges", "bytes")
        switch ByteRange(field, of: length) {
        case .whole: self.init(status: 200, headers: headers, source: content(0..<length))
        case .part(let range):
            headers.append(
                "content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
            self.init(status: 206, headers: headers, source: content(range))
        case .unsatisfiable:
            headers.append("content-range", "bytes */\(length)")
            self.init(status: 416, headers: headers)
        }
    }
}
