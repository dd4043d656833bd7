private import CSimdjson
private import Glibc

/// A parsed JSON text, kept as a flat array of tokens.
///
/// Keys and strings are copied out only when asked for. Where a key is repeated the last value
/// counts, as in JavaScript; ``repeatedKey`` tells readers that want to refuse that.
@safe package final class JSONDocument: Sendable {
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

    /// The tokens, and the bytes of keys and strings, unescaped. Written before `init` ends and
    /// never again, so any thread may read them.
    private nonisolated(unsafe) let tokens: UnsafeRawPointer
    private nonisolated(unsafe) let text: UnsafeRawPointer
    /// The parser's memory, where that is kept; else both are one block of ours.
    private nonisolated(unsafe) let owner: OpaquePointer?
    let tokenCount: Int
    private let textCount: Int
    private let repeatedKeyIndex: Int
    /// The text as it was given.
    package let source: [UInt8]

    /// Takes what the parser has found, or copies it where it is kept until the next text only.
    private init(_ result: cksweep_json_result, source: [UInt8]) {
        tokenCount = unsafe result.token_count
        textCount = unsafe result.text_count
        repeatedKeyIndex = unsafe result.repeated_key
        self.source = source
        unsafe owner = result.owner
        if unsafe owner != nil, let found = unsafe result.tokens, let bytes = unsafe result.text {
            unsafe (tokens, text) = (UnsafeRawPointer(found), UnsafeRawPointer(bytes))
            return
        }
        let tokenBytes = tokenCount * MemoryLayout<Token>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: tokenBytes + textCount, alignment: MemoryLayout<Token>.alignment)
        if let found = unsafe result.tokens {
            unsafe memory.copyMemory(from: found, byteCount: tokenBytes)
        }
        if let bytes = unsafe result.text {
            unsafe (memory + tokenBytes).copyMemory(from: bytes, byteCount: textCount)
        }
        unsafe (tokens, text) = (UnsafeRawPointer(memory), UnsafeRawPointer(memory + tokenBytes))
    }

    deinit {
        if let owner = unsafe owner {
            unsafe cksweep_json_free(owner)
        } else {
            unsafe tokens.deallocate()
        }
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
                at: JSONLocation(offset: 0, in: []), isTooLarge: true)
        }
        var result = unsafe cksweep_json_result()
        let code = unsafe source.withUnsafeBufferPointer { buffer in
            unsafe cksweep_json_parse(
                buffer.baseAddress, buffer.count, limits.depthMax, limits.marksMax, &result)
        }
        guard Int(code) != Int(CKSWEEP_JSON_TOO_MANY) else {
            throw JSONError(
                "the text has more than \(limits.marksMax) brackets, commas and colons",
                at: JSONLocation(offset: 0, in: []), isTooLarge: true)
        }
        guard Int(code) == Int(CKSWEEP_JSON_OK) else {
            throw JSONScanner.explain(source, limits: limits)
        }
        return unsafe JSONDocument(result, source: source)
    }

    /// The token at a place.
    func token(at index: Int) -> Token {
        precondition(index >= 0 && index < tokenCount, "no such token")
        return unsafe tokens.load(
            fromByteOffset: index * MemoryLayout<Token>.stride, as: Token.self)
    }

    /// The bytes of a key or string token; good while the document lives.
    private func bytes(of token: Token) -> UnsafeBufferPointer<UInt8> {
        let (start, count) = (Int(token.payload), Int(token.length))
        precondition(start >= 0 && start + count <= textCount, "no such text")
        return unsafe UnsafeBufferPointer(
            start: (text + start).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// A key that stands twice in one object, with the later value; found while parsing. Of several
    /// one in the object that ends first.
    package var repeatedKey: JSONMember? {
        guard repeatedKeyIndex > 0 else { return nil }
        return JSONMember(value: JSONValue(document: self, index: repeatedKeyIndex + 1))
    }

    /// The index just after the value that begins at `index`.
    func end(of index: Int) -> Int {
        let token = token(at: index)
        return token.kind == .object || token.kind == .array ? Int(token.payload) + 1 : index + 1
    }

    /// Where the value under the last key `name` of an object is; nil when there is none.
    func member(_ name: Span<UInt8>, ofObject index: Int) -> Int? {
        let object = token(at: index)
        guard object.kind == .object else { return nil }
        var found: Int?
        var at = index + 1
        for _ in 0..<object.length {
            // Lengths first: few keys are as long as the one asked for.
            if Int(token(at: at).length) == name.count, matches(name, at: at) { found = at + 1 }
            at = end(of: at + 1)
        }
        return found
    }

    /// The characters of a key or string token.
    func string(at index: Int) -> String {
        unsafe String(decoding: bytes(of: token(at: index)), as: UTF8.self)
    }

    /// Whether a key or string token reads exactly `name`, byte by byte.
    func matches(_ name: Span<UInt8>, at index: Int) -> Bool {
        let token = token(at: index)
        guard Int(token.length) == name.count else { return false }
        let bytes = unsafe bytes(of: token)
        return unsafe name.withUnsafeBufferPointer { name in
            guard let first = bytes.baseAddress, let second = name.baseAddress else { return true }
            return unsafe memcmp(first, second, name.count) == 0
        }
    }
}
