package import HTTPServer
package import MockFaults
package import MockStore

/// What happens after a request was processed.
package enum RequestOutcome {
    /// Send the response, after the delay.
    case respond(HTTPResponse, after: Duration)
    /// Close the connection, after the delay; the work that was done stays done.
    case cut(after: Duration)
    /// Respond when there is a push for a device, or when the time is up.
    case poll(token: String, HTTPHeaders)
    /// Send events as they happen.
    case watch(FeedListener)
    /// Continue when the request is released at a gate.
    case hold(GateHold, HeldFacts, then: () -> RequestOutcome)
    /// Continue after a delay, scaled as the server's clock is.
    case wait(Duration, then: () -> RequestOutcome)
    /// Continue with requests that were held, and then respond.
    case release([Gates.Held], HTTPResponse)
    /// Run a job in slices; the response comes with the last one.
    case job(any StoreJob, () -> HTTPResponse)
}
