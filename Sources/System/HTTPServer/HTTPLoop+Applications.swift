/// How requests reach the applications, and whose work is done.
extension HTTPLoop {
    /// Runs `body` as the work of an application: what is answered, scheduled and posted in it is its own.
    package func run<Result, Failure: Error>(
        as application: any HTTPApplication, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = enter(application)
        defer { leave(to: before) }
        return try body()
    }

    /// Has an application's code run from now on; returns whose ran before.
    func enter(_ application: any HTTPApplication) -> any HTTPApplication {
        defer { applications.current = application }
        return applications.current
    }

    func leave(to application: any HTTPApplication) { applications.current = application }

    /// An answer whose body is made as the work of the application that gave it.
    func owned(
        _ response: HTTPResponse, by application: any HTTPApplication
    ) -> HTTPResponse {
        guard let source = response.source else { return response }
        var response = response
        response.source = OwnedSource(source, of: application, self)
        return response
    }

    /// Asks the application what becomes of a body; a length beyond its limit is refused.
    ///
    /// - Returns: Also who has refused it, or takes it.
    func use(
        ofBodyOf head: HTTPRequest, length: Int?, on connection: Connection, stream: UInt64
    ) -> (use: HTTPBodyUse, by: any HTTPApplication) {
        let exchange = ExchangeID(
            slot: connection.slot, connection: connection.number, stream: stream)
        var request = head
        let application = applications.first.recipient(of: &request, self)
        let use = run(as: application) {
            application.use(ofBodyOf: request, length: length, exchange, self)
        }
        switch use {
        case .collect(let bytesMax) where length ?? 0 > bytesMax:
            return (.refuse(refusal(ofLongBodyOf: head)), application)
        case .stream(let sink, let bytesMax):
            let sink = OwnedSink(sink, of: application, self)
            guard length ?? 0 <= bytesMax else {
                sink.abandon()
                return (.refuse(refusal(ofLongBodyOf: head)), application)
            }
            return (.stream(sink, bytesMax: bytesMax), application)
        case .collect, .refuse: return (use, application)
        }
    }

    /// What the application says to a body that is too long.
    func refusal(ofLongBodyOf head: HTTPRequest) -> HTTPResponse {
        var request = head
        let application = applications.first.recipient(of: &request, self)
        return run(as: application) {
            commitTurn()
            return application.refusal(ofLongBodyOf: request)
        }
    }

    /// Hands a request to the application, or to the sink that has its body.
    ///
    /// - Parameter taker: The application of the sink.
    /// - Returns: Also whose answer it is.
    func dispatch(
        _ request: HTTPRequest, _ sink: (any HTTPBodySink)?, of taker: (any HTTPApplication)?,
        on connection: Connection, stream: UInt64
    ) -> (answer: HTTPAnswer, by: any HTTPApplication) {
        requestsTaken += 1
        touch(connection)
        let exchange = ExchangeID(
            slot: connection.slot, connection: connection.number, stream: stream)
        var request = request
        let asked = applications.first.recipient(of: &request, self)
        let application = sink == nil ? asked : taker ?? asked
        let answer = run(as: application) {
            commitTurn()
            return sink?.handle(request, exchange, self)
                ?? application.handle(request, exchange, self)
        }
        connection.noteAnswer(of: application)
        switch answer {
        case .respond(let response):
            return (.respond(owned(response, by: application)), application)
        case .cut:
            connection.isCut = true
            return (answer, application)
        case .later: return (answer, application)
        }
    }
}
