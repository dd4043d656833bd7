/// Reads a JSON text byte by byte to say where something is or what is wrong.
///
/// The fast parser keeps no offsets; this one is only used to explain.
struct JSONScanner {
    private let bytes: [UInt8]
    private let depthMax: Int
    private var at = 0
    private var tokensSeen = 0
    private var wantedToken: Int?
    private var wantedOffset: Int?

    private init(_ bytes: [UInt8], depthMax: Int) {
        self.bytes = bytes
        self.depthMax = depthMax
    }

    /// Where the `index`th token begins, counted as the C shim counts; nil when it has fewer.
    static func offset(ofToken index: Int, in bytes: [UInt8]) throws(JSONError) -> Int? {
        var scanner = JSONScanner(bytes, depthMax: 1024)
        scanner.wantedToken = index
        try scanner.document()
        return scanner.wantedOffset
    }

    /// What is wrong with a text that the fast parser refused.
    static func explain(_ bytes: [UInt8], limits: JSONLimits) -> JSONError {
        do throws(JSONError) {
            var scanner = JSONScanner(bytes, depthMax: limits.depthMax)
            try scanner.document()
        } catch {
            return error
        }
        if let offset = invalidUTF8(in: bytes) {
            return JSONError("not UTF-8", at: JSONLocation(offset: offset, in: bytes))
        }
        return JSONError("cannot be read as JSON", at: JSONLocation(offset: 0, in: bytes))
    }

    private static func invalidUTF8(in bytes: [UInt8]) -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    private mutating func document() throws(JSONError) {
        try value(depth: 0)
        skipSpace()
        guard at == bytes.count else { throw error("unexpected text after the value") }
    }

    private var current: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func error(_ reason: String) -> JSONError {
        let detail = at >= bytes.count ? "unexpected end of the text" : reason
        return JSONError(detail, at: JSONLocation(offset: at, in: bytes))
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            at += 1
        }
    }

    private mutating func beginToken() {
        if tokensSeen == wantedToken { wantedOffset = at }
        tokensSeen += 1
    }

    private mutating func value(depth: Int) throws(JSONError) {
        skipSpace()
        beginToken()
        switch current {
        case 0x7B: try object(depth: depth + 1)
        case 0x5B: try array(depth: depth + 1)
        case 0x22: try string()
        case 0x74: try word("true")
        case 0x66: try word("false")
        case 0x6E: try word("null")
        case 0x2D: try number()
        case let byte? where (0x30...0x39).contains(byte): try number()
        default: throw error("expected a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) {
        guard depth <= depthMax else { throw error("nested more than \(depthMax) deep") }
        at += 1
        skipSpace()
        if current != 0x7D {
            while true {
                skipSpace()
                guard current == 0x22 else { throw error("expected a key in quotation marks") }
                beginToken()
                try string()
                skipSpace()
                guard current == 0x3A else { throw error("expected \":\" after a key") }
                at += 1
                try value(depth: depth)
                skipSpace()
                if current == 0x7D { break }
                guard current == 0x2C else { throw error("expected \",\" or \"}\"") }
                at += 1
            }
        }
        beginToken()
        at += 1
    }

    private mutating func array(depth: Int) throws(JSONError) {
        guard depth <= depthMax else { throw error("nested more than \(depthMax) deep") }
        at += 1
        skipSpace()
        if current != 0x5D {
            while true {
                try value(depth: depth)
                skipSpace()
                if current == 0x5D { break }
                guard current == 0x2C else { throw error("expected \",\" or \"]\"") }
                at += 1
            }
        }
        beginToken()
        at += 1
    }

    private mutating func word(_ text: String) throws(JSONError) {
        for byte in text.utf8 {
            guard current == byte else { throw error("expected \(text)") }
            at += 1
        }
    }

    private mutating func digits() throws(JSONError) {
        guard let byte = current, (0x30...0x39).contains(byte) else {
            throw error("expected a digit")
        }
        while let byte = current, (0x30...0x39).contains(byte) { at += 1 }
    }

    private mutating func number() throws(JSONError) {
        let start = at
        var isInteger = true
        if current == 0x2D { at += 1 }
        if current == 0x30 {
            at += 1
            if let byte = current, (0x30...0x39).contains(byte) {
                throw error("a number may not begin with 0")
            }
        } else {
            try digits()
        }
        if current == 0x2E {
            isInteger = false
            at += 1
            try digits()
        }
        if current == 0x65 || current == 0x45 {
            isInteger = false
            at += 1
            if current == 0x2B || current == 0x2D { at += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        let fits =
            isInteger
            ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite == true
        guard fits else {
            at = start
            throw error("the number is too large")
        }
    }

    private mutating func string() throws(JSONError) {
        at += 1
        while let byte = current, byte != 0x22 {
            guard byte >= 0x20 else { throw error("a control character inside a string") }
            if byte == 0x5C { try escape() } else { at += 1 }
        }
        guard current == 0x22 else { throw error("the string is not closed") }
        at += 1
    }

    private mutating func escape() throws(JSONError) {
        let start = at
        at += 1
        switch current {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: at += 1
        case 0x75:
            at += 1
            let first = try codeUnit()
            if (0xD800...0xDBFF).contains(first) {
                guard current == 0x5C, at + 1 < bytes.count, bytes[at + 1] == 0x75 else {
                    at = start
                    throw error("half of a surrogate pair")
                }
                at += 2
                let second = try codeUnit()
                guard (0xDC00...0xDFFF).contains(second) else {
                    at = start
                    throw error("half of a surrogate pair")
                }
            }
        default: throw error("an unknown escape")
        }
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(UnicodeScalar(byte)).hexDigitValue
            else { throw error("expected four hexadecimal digits") }
            value = value << 4 | UInt16(digit)
            at += 1
        }
        return value
    }
}
