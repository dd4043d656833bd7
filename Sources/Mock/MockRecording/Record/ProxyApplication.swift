private import CloudModel
import HTTPServer

/// Hands requests on to whoever asks the service, in the order in which they come.
final class ProxyApplication: WholeBodies {
    /// A request, and whom to answer.
    struct Job: Sendable {
        let number: Int
        let request: HTTPRequest
        let exchange: ExchangeID
    }

    private let jobs: AsyncStream<Job>.Continuation
    private var lastNumber = 0
    private let inFlight: InFlight

    /// How many requests wait for their answers.
    ///
    /// Only the server's thread counts.
    final class InFlight: @unchecked Sendable {
        // Holds: whoever is done says so by a post to that thread.
        var count = 0
    }

    init(_ jobs: AsyncStream<Job>.Continuation, _ inFlight: InFlight) {
        self.jobs = jobs
        self.inFlight = inFlight
    }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        guard inFlight.count < RecordingLimits.inFlightMax else {
            return .respond(
                HTTPResponse(
                    ErrorAnswer.make(
                        CloudError(
                            .throttled, reason: "too many requests wait for the service",
                            retryAfter: .seconds(1)), number: lastNumber)))
        }
        inFlight.count += 1
        lastNumber += 1
        jobs.yield(Job(number: lastNumber, request: request, exchange: exchange))
        return .later
    }
}
