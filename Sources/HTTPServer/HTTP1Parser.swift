/// Turns a connection's bytes into HTTP/1.1 requests. A pure value: the result depends on the
/// bytes alone, not on how they were cut into pieces.
///
/// Strict where leniency lets two readers see different requests (RFC 9112 section 11.2): lines
/// end in CR LF, a length comes once, chunked stands alone.
package struct HTTP1Parser: Sendable {
    /// What the bytes so far amount to.
    package enum Event: Sendable {
        /// All input is consumed.
        case needsMore
        /// The client waits for `100 Continue`; ask again with the same input.
        case continueExpected
        /// A whole request, and whether another may follow. There may be more input.
        case request(HTTPRequest, keepAlive: Bool)
        /// Nothing more will be read. Comes again at every further call.
        case failure(HTTPParseError)
    }

    /// Where in a request the parser stands; each has its own deadline.
    package enum Phase: Sendable, Hashable {
        case betweenRequests, headers, body, failed
    }

    private enum State: Sendable, Hashable {
        case head
        case fixedBody(remaining: Int)
        case chunkSize(digits: Int, value: Int)
        case chunkExtension(value: Int)
        case chunkSizeEnd(value: Int)
        case chunkData(remaining: Int)
        case chunkDataReturn, chunkDataFeed
        case trailer
        case failed(HTTPParseError)
    }

    /// Chunk sizes, extensions and trailers of one request together.
    private static let chunkOverheadBytesMax = 16 << 10
    /// How much is set aside for a body on its announced length alone.
    private static let bodyBytesReservedMax = 64 << 10
    /// Method, version and spaces around the target.
    private static let requestLineSlackBytes = 64

    private let limits: HTTPLimits
    private var state = State.head
    private var line = LineScanner()
    private var headBytes: [UInt8] = []
    private var skippedEmptyLine = false
    private var body: [UInt8] = []
    private var chunkOverhead = 0
    private var head: HTTP1Head?
    private var owesContinue = false

    package init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

    /// Where the parser stands.
    package var phase: Phase {
        switch state {
        case .head: headBytes.isEmpty ? .betweenRequests : .headers
        case .failed: .failed
        case .fixedBody, .chunkSize, .chunkExtension, .chunkSizeEnd, .chunkData, .chunkDataReturn,
            .chunkDataFeed, .trailer:
            .body
        }
    }

    /// How much of a body has come.
    var bodyBytes: Int { body.count }
    /// What is kept of the request that is being read.
    var heldBytes: Int { headBytes.count + body.capacity + (head?.headers.text.count ?? 0) }

    /// Forgets the request that is being read; nothing more is read.
    mutating func abandon() {
        fail(HTTPParseError(.bodyTooLarge))
    }

    private mutating func fail(_ error: HTTPParseError) {
        state = .failed(error)
        head = nil
        headBytes = []
        body = []
    }

    /// Reads on from `offset`, which it moves, until something is complete or input ends.
    package mutating func next(_ input: Span<UInt8>, _ offset: inout Int) -> Event {
        do throws(HTTPParseError) {
            while true {
                if case .failed(let error) = state { throw error }
                if case .head = state {
                    guard try readHead(input, &offset) else { return .needsMore }
                    if owesContinue, offset == input.count {
                        owesContinue = false
                        return .continueExpected
                    }
                    owesContinue = false
                }
                if try readBody(input, &offset) { return finish() }
                if offset == input.count { return .needsMore }
            }
        } catch {
            fail(error)
            return .failure(error)
        }
    }

    /// Reads whole pieces, for fuzzing and tests: the events of these bytes in order.
    package mutating func feed(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        var offset = 0
        while true {
            let event = next(bytes.span, &offset)
            if case .needsMore = event { return events }
            events.append(event)
            if case .failure = event { return events }
        }
    }

    /// Collects lines up to the empty one; true when the head is complete.
    private mutating func readHead(
        _ input: Span<UInt8>, _ offset: inout Int
    ) throws(HTTPParseError) -> Bool {
        let start = offset
        var index = offset
        while index < input.count {
            let plain = Bytes.countAboveReturn(input, from: index)
            if plain > 0 {
                index += plain
                try line.acceptPlain(plain)
                try checkHeadLimits(headBytes.count + index - start)
                continue
            }
            let ended = try line.accept(input[index])
            index += 1
            guard ended else {
                try checkHeadLimits(headBytes.count + index - start)
                continue
            }
            if line.isFirst, line.length == 0 {
                guard !skippedEmptyLine else { throw HTTPParseError(.emptyLines) }
                skippedEmptyLine = true
                headBytes = []
                line = LineScanner()
                offset = index
                return try readHead(input, &offset)
            }
            if line.length == 0 {
                append(input, start..<index, toHead: true)
                offset = index
                try beginBody()
                return true
            }
            line.beginNext()
        }
        append(input, start..<index, toHead: true)
        offset = index
        return false
    }

    private func checkHeadLimits(_ count: Int) throws(HTTPParseError) {
        if line.isFirst, count > limits.targetBytesMax + Self.requestLineSlackBytes {
            throw HTTPParseError(.targetTooLong)
        }
        if count > limits.headerBytesMax { throw HTTPParseError(.headersTooLarge) }
    }

    private mutating func beginBody() throws(HTTPParseError) {
        let head = try HTTP1Head(headBytes, limits: limits)
        headBytes = []
        line = LineScanner()
        switch head.framing {
        case .length(let count):
            state = .fixedBody(remaining: count)
            body.reserveCapacity(min(count, Self.bodyBytesReservedMax))
            owesContinue = head.expectsContinue && count > 0
        case .chunked:
            state = .chunkSize(digits: 0, value: 0)
            owesContinue = head.expectsContinue
        }
        chunkOverhead = 0
        self.head = head
    }

    /// True when the body is complete.
    private mutating func readBody(
        _ input: Span<UInt8>, _ offset: inout Int
    ) throws(HTTPParseError) -> Bool {
        switch state {
        case .head, .failed: return false
        case .fixedBody(let remaining):
            let left = take(input, &offset, remaining)
            state = .fixedBody(remaining: left)
            return left == 0
        case .chunkData(let remaining):
            let left = take(input, &offset, remaining)
            state = left == 0 ? .chunkDataReturn : .chunkData(remaining: left)
            return false
        case .trailer:
            return try readTrailer(input, &offset)
        case .chunkSize, .chunkExtension, .chunkSizeEnd, .chunkDataReturn, .chunkDataFeed:
            guard offset < input.count else { return false }
            let byte = input[offset]
            offset += 1
            try countChunkOverhead()
            state = try afterChunkByte(byte)
            return false
        }
    }

    /// The step of one byte around chunk data.
    private func afterChunkByte(_ byte: UInt8) throws(HTTPParseError) -> State {
        switch state {
        case .chunkSize(let digits, let value):
            if let digit = Bytes.hexadecimal(byte) {
                guard digits < 8 else { throw HTTPParseError(.chunkSize) }
                return .chunkSize(digits: digits + 1, value: value << 4 | digit)
            }
            guard digits > 0 else { throw HTTPParseError(.chunkSize) }
            guard body.count + value <= limits.bodyBytesMax else {
                throw HTTPParseError(.bodyTooLarge)
            }
            if byte == Bytes.carriageReturn { return .chunkSizeEnd(value: value) }
            guard byte == 0x3B else { throw HTTPParseError(.chunkSize) }
            return .chunkExtension(value: value)
        case .chunkExtension(let value):
            if byte == Bytes.carriageReturn { return .chunkSizeEnd(value: value) }
            guard Bytes.isFieldValue(byte) else { throw HTTPParseError(.chunkExtension) }
            return .chunkExtension(value: value)
        case .chunkSizeEnd(let value):
            guard byte == Bytes.lineFeed else { throw HTTPParseError(.chunkSize) }
            return value == 0 ? .trailer : .chunkData(remaining: value)
        case .chunkDataReturn:
            guard byte == Bytes.carriageReturn else { throw HTTPParseError(.chunkEnd) }
            return .chunkDataFeed
        case .chunkDataFeed:
            guard byte == Bytes.lineFeed else { throw HTTPParseError(.chunkEnd) }
            return .chunkSize(digits: 0, value: 0)
        case .head, .fixedBody, .chunkData, .trailer, .failed:
            return state
        }
    }

    /// Reads trailer fields, checks them like header fields, and drops them.
    private mutating func readTrailer(
        _ input: Span<UInt8>, _ offset: inout Int
    ) throws(HTTPParseError) -> Bool {
        while offset < input.count {
            let byte = input[offset]
            offset += 1
            try countChunkOverhead()
            headBytes.append(byte)
            guard try line.accept(byte) else { continue }
            if line.length == 0 { return true }
            guard let colon = headBytes.firstIndex(of: Bytes.colon), colon > 0,
                headBytes[..<colon].allSatisfy(Bytes.isToken),
                headBytes[(colon + 1)...].dropLast(2).allSatisfy(Bytes.isFieldValue)
            else { throw HTTPParseError(.trailer) }
            headBytes = []
            line.beginNext()
        }
        return false
    }

    private mutating func countChunkOverhead() throws(HTTPParseError) {
        chunkOverhead += 1
        // Chunks of three bytes and more always pass: no sender that means well makes smaller ones.
        guard chunkOverhead <= Self.chunkOverheadBytesMax + 2 * body.count else {
            throw HTTPParseError(.chunkOverheadTooLarge)
        }
    }

    /// Moves up to `wanted` bytes into the body and returns how many are still missing.
    private mutating func take(_ input: Span<UInt8>, _ offset: inout Int, _ wanted: Int) -> Int {
        let count = min(wanted, input.count - offset)
        append(input, offset..<(offset + count), toHead: false)
        offset += count
        return wanted - count
    }

    private mutating func append(_ input: Span<UInt8>, _ range: Range<Int>, toHead: Bool) {
        guard !range.isEmpty else { return }
        unsafe input.extracting(range).withUnsafeBufferPointer { bytes in
            if toHead {
                unsafe headBytes.append(contentsOf: bytes)
            } else {
                unsafe body.append(contentsOf: bytes)
            }
        }
    }

    private mutating func finish() -> Event {
        guard let head else { preconditionFailure("a body without a head") }
        let request = HTTPRequest(
            method: head.method, target: head.target, version: head.version,
            headers: head.headers, body: body)
        self.head = nil
        body = []
        headBytes = []
        line = LineScanner()
        skippedEmptyLine = false
        state = .head
        return .request(request, keepAlive: head.keepAlive)
    }
}
