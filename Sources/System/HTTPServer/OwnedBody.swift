/// A request's body on its way to a sink, whose work is that of one application.
final class OwnedSink: HTTPBodySink {
    private let sink: any HTTPBodySink
    private let owner: any HTTPApplication
    private unowned let loop: HTTPLoop

    init(_ sink: any HTTPBodySink, of owner: any HTTPApplication, _ loop: HTTPLoop) {
        self.sink = sink
        self.owner = owner
        self.loop = loop
    }

    var heldBytes: Int { sink.heldBytes }

    func take(_ piece: Span<UInt8>) -> HTTPBodyDemand {
        let before = loop.enter(owner)
        defer { loop.leave(to: before) }
        return sink.take(piece)
    }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer { sink.handle(request, exchange, loop) }

    func abandon() { loop.run(as: owner) { sink.abandon() } }
}

/// An answer's body that one application makes.
final class OwnedSource: HTTPBodySource {
    private let source: any HTTPBodySource
    private let owner: any HTTPApplication
    private unowned let loop: HTTPLoop

    init(_ source: any HTTPBodySource, of owner: any HTTPApplication, _ loop: HTTPLoop) {
        self.source = source
        self.owner = owner
        self.loop = loop
    }

    var length: Int? { source.length }

    func next() throws -> HTTPBodyPiece { try loop.run(as: owner) { try source.next() } }

    func finish() -> Bool { loop.run(as: owner) { source.finish() } }
}
