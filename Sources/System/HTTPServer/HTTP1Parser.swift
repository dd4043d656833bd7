/// Turns a connection's bytes into HTTP/1.1 requests. A pure value: the result depends on the
/// bytes alone, not on how they were cut into pieces.
///
/// Strict where leniency lets two readers see different requests (RFC 9112 section 11.2): lines
/// end in CR LF, a length comes once, chunked stands alone.
package struct HTTP1Parser: Sendable {
    /// What the bytes so far amount to. After all but the first there may be more input.
    package enum Event: Sendable {
        /// All input is consumed.
        case needsMore
        /// A request without its body, whose length is nil where only its end will tell. Now is the
        /// time to set ``bodyBytesMax``.
        case head(HTTPRequest, length: Int?)
        /// The client waits for `100 Continue`; ask again with the same input.
        case continueExpected
        /// A piece of the body, at least one byte: where in the input it lies.
        case body(Range<Int>)
        /// The request is whole; whether another may follow.
        case end(keepAlive: Bool)
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
    /// Method, version and spaces around the target.
    private static let requestLineSlackBytes = 64

    /// How long the body of the request may become that is being read, where its length is not known;
    /// a longer one is a failure.
    package var bodyBytesMax = 0
    private let limits: HTTPLimits
    private var state = State.head
    private var line = LineScanner()
    private var headBytes: [UInt8] = []
    private var skippedEmptyLine = false
    private var bodyCount = 0
    private var chunkOverhead = 0
    private var keepAlive = false
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

    /// What is kept of a head that is being read.
    var heldBytes: Int { headBytes.count }

    /// Reads on from `offset`, which it moves, until something is complete or input ends.
    package mutating func next(_ input: Span<UInt8>, _ offset: inout Int) -> Event {
        do throws(HTTPParseError) {
            if case .failed(let error) = state { throw error }
            if case .head = state {
                guard try readHead(input, &offset) else { return .needsMore }
                return try beginBody()
            }
            if owesContinue {
                owesContinue = false
                if offset == input.count { return .continueExpected }
            }
            return try readBody(input, &offset)
        } catch {
            state = .failed(error)
            headBytes = []
            return .failure(error)
        }
    }

    /// Reads whole pieces, for fuzzing and tests: the events of these bytes in order, with bodies as
    /// long as the limits have it.
    package mutating func feed(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        var offset = 0
        while true {
            let event = next(bytes.span, &offset)
            if case .needsMore = event { return events }
            if case .head = event { bodyBytesMax = limits.bodyBytesMax }
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
                append(input, start..<index)
                offset = index
                return true
            }
            line.beginNext()
        }
        append(input, start..<index)
        offset = index
        return false
    }

    private func checkHeadLimits(_ count: Int) throws(HTTPParseError) {
        if line.isFirst, count > limits.targetBytesMax + Self.requestLineSlackBytes {
            throw HTTPParseError(.targetTooLong)
        }
        if count > limits.headerBytesMax { throw HTTPParseError(.headersTooLarge) }
    }

    private mutating func beginBody() throws(HTTPParseError) -> Event {
        // Handed over, so that its names can be put into lower case where they lie.
        var bytes: [UInt8] = []
        swap(&bytes, &headBytes)
        let head = try HTTP1Head(bytes, limits: limits)
        line = LineScanner()
        (bodyCount, bodyBytesMax, chunkOverhead) = (0, 0, 0)
        keepAlive = head.keepAlive
        var length: Int?
        switch head.framing {
        case .length(let count):
            state = .fixedBody(remaining: count)
            length = count
        case .chunked: state = .chunkSize(digits: 0, value: 0)
        }
        owesContinue = head.expectsContinue && length != 0
        return .head(
            HTTPRequest(
                method: head.method, target: head.target, version: head.version,
                headers: head.headers), length: length)
    }

    private mutating func readBody(
        _ input: Span<UInt8>, _ offset: inout Int
    ) throws(HTTPParseError) -> Event {
        while true {
            switch state {
            case .head, .failed: preconditionFailure("no body is being read")
            case .fixedBody(let remaining):
                if remaining == 0 { return end() }
                guard let piece = take(input, &offset, remaining) else { return .needsMore }
                state = .fixedBody(remaining: remaining - piece.count)
                return .body(piece)
            case .chunkData(let remaining):
                guard let piece = take(input, &offset, remaining) else { return .needsMore }
                let left = remaining - piece.count
                state = left == 0 ? .chunkDataReturn : .chunkData(remaining: left)
                return .body(piece)
            case .trailer:
                return try readTrailer(input, &offset) ? end() : .needsMore
            case .chunkSize, .chunkExtension, .chunkSizeEnd, .chunkDataReturn, .chunkDataFeed:
                guard offset < input.count else { return .needsMore }
                let byte = input[offset]
                offset += 1
                try countChunkOverhead()
                state = try afterChunkByte(byte)
            }
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
            guard bodyCount + value <= bodyBytesMax else {
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
        guard chunkOverhead <= Self.chunkOverheadBytesMax + 2 * bodyCount else {
            throw HTTPParseError(.chunkOverheadTooLarge)
        }
    }

    /// Where the next bytes of the body lie, at most `wanted`; nil when the input is over.
    private mutating func take(
        _ input: Span<UInt8>, _ offset: inout Int, _ wanted: Int
    ) -> Range<Int>? {
        let count = min(wanted, input.count - offset)
        guard count > 0 else { return nil }
        defer { offset += count }
        bodyCount += count
        return offset..<(offset + count)
    }

    private mutating func append(_ input: Span<UInt8>, _ range: Range<Int>) {
        unsafe input.extracting(range).withUnsafeBufferPointer {
            unsafe headBytes.append(contentsOf: $0)
        }
    }

    private mutating func end() -> Event {
        headBytes = []
        line = LineScanner()
        skippedEmptyLine = false
        state = .head
        return .end(keepAlive: keepAlive)
    }
}
