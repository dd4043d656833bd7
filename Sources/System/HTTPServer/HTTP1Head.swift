/// A request's first line and header fields, checked by RFC 9112 without leniency.
struct HTTP1Head {
    /// How the body's length is known.
    enum Framing: Hashable {
        case length(Int)
        case chunked
    }

    private(set) var method = ""
    private(set) var target = ""
    private(set) var version = HTTPRequest.Version.http11
    private(set) var headers = HTTPHeaders()
    private(set) var framing = Framing.length(0)
    private(set) var keepAlive = true
    private(set) var expectsContinue = false

    /// The longest method known to the registry has 17 letters.
    private static let methodBytesMax = 32

    private var text: [UInt8]
    private let limits: HTTPLimits
    private var host: Range<Int>?
    private var authority: Range<Int>?
    private var contentLength: Int?
    private var isChunked = false
    private var hasTransferEncoding = false
    private var closes = false
    private var keepsAlive = false

    /// Parses all lines up to and with the empty one. Every line ends in CR LF and holds neither
    /// of them elsewhere: the caller has seen to that.
    init(_ bytes: consuming [UInt8], limits: HTTPLimits) throws(HTTPParseError) {
        text = bytes
        self.limits = limits
        var start = try parseRequestLine()
        var fields: [HTTPHeaders.Field] = []
        fields.reserveCapacity(16)
        while text[start] != Bytes.carriageReturn {
            guard fields.count < limits.headerFieldsMax else {
                throw HTTPParseError(.tooManyFields)
            }
            let (field, next) = try parseField(at: start)
            fields.append(field)
            try note(field)
            start = next
        }
        try settle()
        headers = HTTPHeaders(text: text, fields: fields)
        text = []
    }

    private mutating func parseRequestLine() throws(HTTPParseError) -> Int {
        let end = Bytes.first(Bytes.carriageReturn, in: text, 0..<text.count)
        let first = Bytes.first(Bytes.space, in: text, 0..<end)
        guard first < end else { throw HTTPParseError(.requestLine) }
        let second = Bytes.first(Bytes.space, in: text, (first + 1)..<end)
        guard second < end, second > first + 1,
            Bytes.first(Bytes.space, in: text, (second + 1)..<end) == end
        else { throw HTTPParseError(.requestLine) }
        guard first > 0, first <= Self.methodBytesMax else { throw HTTPParseError(.method) }
        for index in 0..<first where !Bytes.isToken(text[index]) { throw HTTPParseError(.method) }
        version = try parseVersion((second + 1)..<end)
        method = String(decoding: text[..<first], as: UTF8.self)
        try parseTarget((first + 1)..<second)
        return end + 2
    }

    private func parseVersion(_ range: Range<Int>) throws(HTTPParseError) -> HTTPRequest.Version {
        let start = range.lowerBound
        guard range.count == 8, text[start] == 0x48, text[start + 1] == 0x54,
            text[start + 2] == 0x54, text[start + 3] == 0x50, text[start + 4] == 0x2F,
            text[start + 6] == 0x2E
        else { throw HTTPParseError(.version) }
        let (major, minor) = (text[start + 5], text[start + 7])
        guard major >= 0x30, major <= 0x39, minor >= 0x30, minor <= 0x39 else {
            throw HTTPParseError(.version)
        }
        switch (major, minor) {
        case (0x31, 0x31): return .http11
        case (0x31, 0x30): return .http10
        default: throw HTTPParseError(.versionUnsupported)
        }
    }

    /// Takes the origin form, the absolute form of proxies' clients, and `*` for OPTIONS.
    private mutating func parseTarget(_ range: Range<Int>) throws(HTTPParseError) {
        guard range.count <= limits.targetBytesMax else { throw HTTPParseError(.targetTooLong) }
        guard Bytes.isTarget(text, range) else { throw HTTPParseError(.target) }
        var range = range
        if text[range.lowerBound] != 0x2F {
            let isAsterisk = range.count == 1 && text[range.lowerBound] == 0x2A
            if isAsterisk, method == "OPTIONS" {
                target = "*"
                return
            }
            range = try splitAbsoluteForm(range)
        }
        target = String(decoding: text[range], as: UTF8.self)
        if target.isEmpty || target.utf8.first == 0x3F { target = "/" + target }
    }

    private mutating func splitAbsoluteForm(
        _ range: Range<Int>
    ) throws(HTTPParseError) -> Range<Int> {
        let scheme = range.lowerBound
        let length: Int
        if range.count > 8, Bytes.isWord(text, scheme..<(scheme + 8), "https://") {
            length = 8
        } else if range.count > 7, Bytes.isWord(text, scheme..<(scheme + 7), "http://") {
            length = 7
        } else {
            throw HTTPParseError(.target)
        }
        let start = scheme + length
        let end =
            text[start..<range.upperBound].firstIndex { $0 == 0x2F || $0 == 0x3F }
            ?? range.upperBound
        guard start < end, !text[start..<end].contains(0x40) else {
            throw HTTPParseError(.target)
        }
        authority = start..<end
        return end..<range.upperBound
    }

    private mutating func parseField(
        at start: Int
    ) throws(HTTPParseError) -> (HTTPHeaders.Field, next: Int) {
        guard text[start] != Bytes.space, text[start] != Bytes.tab else {
            throw HTTPParseError(.foldedField)
        }
        var colon = start
        while Bytes.isToken(text[colon]) {
            // Most come in lower case; writing costs more than looking.
            if text[colon] &- 0x41 <= 0x19 { text[colon] |= 0x20 }
            colon += 1
        }
        guard colon > start, text[colon] == Bytes.colon else { throw HTTPParseError(.fieldName) }
        let end = Bytes.first(Bytes.carriageReturn, in: text, (colon + 1)..<text.count)
        guard Bytes.isFieldValue(text, (colon + 1)..<end) else { throw HTTPParseError(.fieldValue) }
        let value = Bytes.trimmed(text, (colon + 1)..<end)
        return (HTTPHeaders.Field(name: start..<colon, value: value), end + 2)
    }

    /// Looks at the fields that say where the request ends.
    private mutating func note(_ field: HTTPHeaders.Field) throws(HTTPParseError) {
        switch field.name.count {
        case 4 where Bytes.isWord(text, field.name, "host"):
            guard host == nil else { throw HTTPParseError(.repeatedHost) }
            host = field.value
        case 6 where Bytes.isWord(text, field.name, "expect"):
            guard Bytes.isWord(text, field.value, "100-continue") else {
                throw HTTPParseError(.expectation)
            }
            expectsContinue = version == .http11
        case 10 where Bytes.isWord(text, field.name, "connection"):
            for member in Bytes.listMembers(text, field.value) {
                if Bytes.isWord(text, member, "close") { closes = true }
                if Bytes.isWord(text, member, "keep-alive") { keepsAlive = true }
            }
        case 14 where Bytes.isWord(text, field.name, "content-length"):
            guard contentLength == nil else { throw HTTPParseError(.repeatedContentLength) }
            contentLength = try parseLength(field.value)
        case 17 where Bytes.isWord(text, field.name, "transfer-encoding"):
            try noteTransferEncoding(field.value)
        default: break
        }
    }

    private func parseLength(_ range: Range<Int>) throws(HTTPParseError) -> Int {
        guard range.count >= 1, range.count <= 18,
            text[range].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { throw HTTPParseError(.contentLength) }
        return text[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func noteTransferEncoding(_ value: Range<Int>) throws(HTTPParseError) {
        for member in Bytes.listMembers(text, value) {
            guard Bytes.isWord(text, member, "chunked") else {
                throw HTTPParseError(.codingUnsupported)
            }
            guard !isChunked else { throw HTTPParseError(.codingRepeated) }
            isChunked = true
        }
        hasTransferEncoding = true
    }

    /// The rules that need all fields.
    private mutating func settle() throws(HTTPParseError) {
        if hasTransferEncoding {
            guard contentLength == nil else { throw HTTPParseError(.lengthAndChunked) }
            guard version == .http11 else { throw HTTPParseError(.codingInHTTP10) }
            framing = .chunked
        } else {
            framing = .length(contentLength ?? 0)
        }
        if version == .http11, host == nil { throw HTTPParseError(.missingHost) }
        if let authority, let host,
            !text[authority].lazy.map(Bytes.lowercased).elementsEqual(
                text[host].lazy.map(Bytes.lowercased))
        {
            throw HTTPParseError(.hostMismatch)
        }
        keepAlive = version == .http11 ? !closes : keepsAlive && !closes
    }
}
