/// Names one request and its answer. Never reused while the server runs; an answer to an
/// exchange whose client has gone is dropped.
package struct ExchangeID: Hashable, Sendable {
    /// Place of the connection in the loop's table.
    let slot: Int
    /// Number of the connection, counted from the start of the loop.
    let connection: UInt64
    /// HTTP/2 stream, or the request's number on an HTTP/1.1 connection.
    let stream: UInt64
}

/// What an application says to a request.
package enum HTTPAnswer {
    /// Send this after ``HTTPApplication/endOfTurn(_:)`` and ``HTTPApplication/beforeAnswers(_:)``.
    case respond(HTTPResponse)
    /// ``HTTPLoop/respond(to:_:)`` or ``HTTPLoop/cut(_:)`` follows.
    case later
    /// Close the connection without an answer, after ``HTTPApplication/endOfTurn(_:)``: work done
    /// for the request is committed, and the client does not learn of it. Answers to other
    /// requests of the turn are sent first. On HTTP/2 the whole connection is closed, so requests
    /// that still wait on it are lost too.
    case cut
}

/// Answers requests. Lives on the loop's thread; nothing has to be `Sendable`.
///
/// One may stand before others, see ``recipient(of:_:)``. Each of them has turns of its own: its work is
/// committed by itself, and fails by itself. What it has the loop do later, by a timer or from another
/// thread, is its own work too.
package protocol HTTPApplication: AnyObject {
    /// Called once, before the first request; a place to start timers. Applications behind another are told
    /// by that one; see ``HTTPLoop/run(as:_:)``.
    func started(_ loop: HTTPLoop)

    /// Called when the server begins to end, before requests in flight have their time to finish: nobody
    /// should wait for anything else any more. Applications behind another are told by that one.
    func willStop(_ loop: HTTPLoop)

    /// Whom a request is for: this application, or one that it stands before, and which is not asked again.
    /// Asked when a head has come that a body follows, and when the request is whole.
    ///
    /// - Parameter request: Handed on as this leaves it; the first time, its body is empty.
    func recipient(of request: inout HTTPRequest, _ loop: HTTPLoop) -> any HTTPApplication

    /// What the `date` of its answers shows, in seconds since 1970; nil: the server's time.
    var unixSeconds: Int64? { get }

    /// Called when a request's head has come that a body follows, before any of it is read, and before
    /// the client is told to continue. First the body is collected, up to ``HTTPLimits/bodyBytesMax``.
    ///
    /// - Parameters:
    ///   - head: The request without its body.
    ///   - length: How long the body is; nil when only its end will tell.
    func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse

    /// What a request is refused with whose body is longer than its use allows; an empty 413 unless it says otherwise.
    func refusal(ofLongBodyOf head: HTTPRequest) -> HTTPResponse

    /// Called for every complete request.
    func handle(_ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop) -> HTTPAnswer

    /// The group commit: called once in every loop turn in which this application handled a request, gave an
    /// answer or cut or asked for it by ``HTTPLoop/commitTurn()``, before anything of the turn is
    /// sent.
    ///
    /// - Throws: Anything; all answers that it gave in the turn but those that stand alone are then replaced
    ///   by ``failure(_:)``. Cuts stay.
    func endOfTurn(_ loop: HTTPLoop) throws

    /// Called after an ``endOfTurn(_:)`` that did not throw, when some answers are written down and
    /// none is sent: the place to wait for what ``endOfTurn(_:)`` has begun, such as a write to disk.
    ///
    /// - Throws: Anything; all connections that it gave answers on in the turn are then closed without them,
    ///   since nobody knows what has become of the work.
    func beforeAnswers(_ loop: HTTPLoop) throws

    /// What every answer of a turn becomes whose ``endOfTurn(_:)`` threw; an empty 500 at first.
    func failure(_ error: any Error) -> HTTPResponse

    /// Background work in small pieces, called when a turn has nothing else to do, and now and then where each
    /// has. It is committed by itself, where it asks for that by ``HTTPLoop/commitTurn()``: no request fails
    /// with it.
    ///
    /// - Returns: Whether there is more; false means "not before the next request or timer".
    func idle(_ loop: HTTPLoop) -> Bool
}

extension HTTPApplication {
    package func started(_ loop: HTTPLoop) {}
    package func willStop(_ loop: HTTPLoop) {}
    package func recipient(
        of request: inout HTTPRequest, _ loop: HTTPLoop
    ) -> any HTTPApplication { self }
    package var unixSeconds: Int64? { nil }
    package func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse { .collect(bytesMax: loop.limits.bodyBytesMax) }
    package func refusal(ofLongBodyOf head: HTTPRequest) -> HTTPResponse {
        HTTPResponse(status: 413)
    }
    package func endOfTurn(_ loop: HTTPLoop) throws {}
    package func beforeAnswers(_ loop: HTTPLoop) throws {}
    package func failure(_ error: any Error) -> HTTPResponse { HTTPResponse(status: 500) }
    package func idle(_ loop: HTTPLoop) -> Bool { false }
}
