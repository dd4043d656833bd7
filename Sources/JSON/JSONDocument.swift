private import CSimdjson

/// A parsed JSON text, kept as a flat array of tokens.
///
/// Keys and strings are copied out only when asked for. Where a key is repeated the last value
/// counts, as in JavaScript; ``repeatedKey`` tells readers that want to refuse that.
package final class JSONDocument: Sendable {
    /// What one token is, spelled as the C shim spells it.
    ///
    /// Not an enum: every read would have to look the case up.
    struct TokenKind: Equatable {
        let rawValue: UInt32
        static var object: TokenKind { TokenKind(rawValue: 0x7B) }  // {
        static var array: TokenKind { TokenKind(rawValue: 0x5B) }  // [
        static var string: TokenKind { TokenKind(rawValue: 0x73) }  // s
        static var key: TokenKind { TokenKind(rawValue: 0x6B) }  // k
        static var integer: TokenKind { TokenKind(rawValue: 0x69) }  // i
        static var double: TokenKind { TokenKind(rawValue: 0x64) }  // d
        static var `true`: TokenKind { TokenKind(rawValue: 0x74) }  // t
        static var `false`: TokenKind { TokenKind(rawValue: 0x66) }  // f
        static var null: TokenKind { TokenKind(rawValue: 0x6E) }  // n
    }

    /// One token; see the C shim's header for what `length` and `payload` mean for each kind.
    struct Token {
        let kind: TokenKind
        let length: UInt32
        let payload: UInt64
    }

    let tokens: [Token]
    /// The bytes of keys and strings, unescaped.
    let text: [UInt8]
    /// The text as it was given.
    package let source: [UInt8]

    private init(tokens: [Token], text: [UInt8], source: [UInt8]) {
        self.tokens = tokens
        self.text = text
        self.source = source
    }

    /// The outermost value.
    package var root: JSONValue { JSONValue(document: self, index: 0) }

    /// Parses a whole text.
    ///
    /// - Parameter source: UTF-8, without a byte order mark.
    /// - Throws: `JSONError` when the text is not JSON (RFC 8259), not UTF-8, over a limit, or
    ///   holds a number outside the range of a double or an integer of more than 64 bits.
    package static func parse(
        _ source: [UInt8], limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONDocument {
        guard source.count <= limits.bytesMax else {
            throw JSONError(
                "the text is longer than \(limits.bytesMax) bytes",
                at: JSONLocation(offset: 0, in: []))
        }
        var result = unsafe cksweep_json_result()
        let code = unsafe source.withUnsafeBufferPointer { buffer in
            unsafe cksweep_json_parse(
                buffer.baseAddress, buffer.count, limits.depthMax, &result)
        }
        guard Int(code) == Int(CKSWEEP_JSON_OK) else {
            throw JSONScanner.explain(source, limits: limits)
        }
        let tokenCount = unsafe result.token_count
        let tokens = unsafe [Token](unsafeUninitializedCapacity: tokenCount) { buffer, count in
            unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.copyMemory(
                from: result.tokens, byteCount: tokenCount * MemoryLayout<Token>.stride)
            count = tokenCount
        }
        let text = unsafe Array(UnsafeBufferPointer(start: result.text, count: result.text_count))
        return JSONDocument(tokens: tokens, text: text, source: source)
    }

    /// A key that stands twice in one object, with the later value; outer objects are searched first.
    package var repeatedKey: JSONMember? {
        var index = 0
        while index < tokens.count {
            if tokens[index].kind == .object {
                var seen: Set<String> = []
                for member in JSONValue(document: self, index: index).members
                where !seen.insert(member.key).inserted {
                    return member
                }
            }
            index += 1
        }
        return nil
    }

    /// The index just after the value that begins at `index`.
    func end(of index: Int) -> Int {
        let token = tokens[index]
        return token.kind == .object || token.kind == .array ? Int(token.payload) + 1 : index + 1
    }

    /// Where the value under the last key `name` of an object is; nil when there is none.
    func member(_ name: Span<UInt8>, ofObject index: Int) -> Int? {
        let kept = tokens
        let tokens = kept.span
        guard tokens[index].kind == .object else { return nil }
        var found: Int?
        var at = index + 1
        for _ in 0..<tokens[index].length {
            if Int(tokens[at].length) == name.count, matches(name, at: at) { found = at + 1 }
            let value = tokens[at + 1]
            at = value.kind == .object || value.kind == .array ? Int(value.payload) + 1 : at + 2
        }
        return found
    }

    /// The characters of a key or string token.
    func string(at index: Int) -> String {
        let token = tokens[index]
        let start = Int(token.payload)
        return String(decoding: text[start..<start + Int(token.length)], as: UTF8.self)
    }

    /// Whether a key or string token reads exactly `name`, byte by byte.
    func matches(_ name: Span<UInt8>, at index: Int) -> Bool {
        let token = tokens[index]
        guard Int(token.length) == name.count else { return false }
        let start = Int(token.payload)
        let kept = text
        let bytes = kept.span.extracting(start..<start + name.count)
        for offset in 0..<name.count where bytes[offset] != name[offset] { return false }
        return true
    }
}
