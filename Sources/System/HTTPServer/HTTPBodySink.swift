/// Takes a request's body in pieces, for bodies that are too long to be kept.
///
/// It lives on the loop's thread. Whatever it does with the pieces, it must not block: what takes
/// longer than a millisecond is done elsewhere, and the client waits meanwhile.
package protocol HTTPBodySink: AnyObject {
    /// How many of the bytes it has taken it still keeps; asked after each piece, and when it goes on.
    /// They count in the ``MemoryBudget``.
    var heldBytes: Int { get }

    /// Takes the next piece, which has at least one byte and at most 256 KiB. It may answer the request
    /// before its body has ended, by ``HTTPLoop/respond(to:_:)``: then no more of it is read.
    func take(_ piece: Span<UInt8>) -> HTTPBodyDemand

    /// Answers the request, once the sink has taken all of its body and waits for nothing; in place of
    /// ``HTTPApplication/handle(_:_:_:)``, and under the same rules.
    func handle(_ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop) -> HTTPAnswer

    /// The body will not be whole: the client has gone or sent too much, the server ends or is short of
    /// memory, or the request was answered early. Called once at most, and nothing after it.
    func abandon()
}

extension [UInt8] {
    /// Adds a piece of a body.
    package mutating func append(_ piece: Span<UInt8>) {
        unsafe piece.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

/// What a sink wants after a piece.
package enum HTTPBodyDemand: Sendable {
    case more
    /// Nothing now. The client is not read on until ``HTTPLoop/resumeBody(of:)``.
    case notNow
}

/// What becomes of a request's body.
package enum HTTPBodyUse {
    /// Collect it in ``HTTPRequest/body``. If it is longer than this, the answer is
    /// ``HTTPApplication/refusal(ofLongBodyOf:)``.
    case collect(bytesMax: Int)
    /// Hand it on piece by piece, up to this length.
    case stream(any HTTPBodySink, bytesMax: Int)
    /// Answer now and read none of it.
    case refuse(HTTPResponse)
}

/// A request's body while it comes: collected, or on its way to a sink.
struct IncomingBody {
    /// What the sink has not taken; everything where there is none.
    private(set) var bytes: [UInt8] = []
    var sink: (any HTTPBodySink)?
    private(set) var isWaiting = false
    /// What the sink holds.
    private var sinkBytes = 0
    /// How often the sink has gone on.
    private var resumes = 0

    /// How much of it is kept.
    var count: Int { bytes.count + sinkBytes }
    /// How much memory that takes.
    var heldBytes: Int { bytes.capacity + sinkBytes }

    /// How much is set aside for a body on its announced length alone.
    private static let reservedMax = 64 << 10

    /// Sets memory aside for a body that will be collected.
    mutating func reserve(_ length: Int) {
        bytes.reserveCapacity(min(length, Self.reservedMax))
    }

    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        unsafe bytes.append(contentsOf: piece)
    }

    /// Hands the sink what has come, unless it waits. Call it on a copy, and ``settle(after:)`` with that
    /// if the request was not answered meanwhile: the sink may ask the loop for anything.
    mutating func pour() {
        guard let sink, !isWaiting, !bytes.isEmpty else { return }
        let piece = bytes
        bytes = []
        isWaiting = sink.take(piece.span) == .notNow
    }

    /// Takes over what ``pour()`` has made of a copy of this. A sink that went on meanwhile does not wait.
    mutating func settle(after poured: IncomingBody) {
        let resumes = resumes
        self = poured
        if resumes != poured.resumes { isWaiting = false }
        self.resumes = resumes
        sinkBytes = sink?.heldBytes ?? 0
    }

    /// The sink goes on.
    mutating func resume() {
        resumes &+= 1
        isWaiting = false
        sinkBytes = sink?.heldBytes ?? 0
    }
}
