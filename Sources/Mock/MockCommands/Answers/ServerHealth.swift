import Basics
import CommandLine

/// The state of a running mock server.
struct ServerHealth {
    /// `ok`, or `failing` once a write could not be stored.
    let status: String
    /// Why no more writes are accepted; nil: they are.
    let problem: String?
    /// What only the holder of the administration token learns; nil: no valid token was sent.
    let details: Details?

    struct Details {
        let processID: Int
        /// `memory` or `directory`.
        let store: String
        let seed: String
        let requests: Int
        let started: Timestamp
    }

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        status = try answer.text("status")
        problem =
            status == "ok" ? nil : answer.optionalText("takesNoWrites") ?? "its status is \(status)"
        guard answer.optionalText("url") != nil else {
            details = nil
            return
        }
        let text = try answer.text("startedAt")
        guard let started = Timestamp(iso8601: text) else {
            throw CommandFailure(
                .internalError, "the mock server was started at \"\(text)\", which is not a time")
        }
        details = Details(
            processID: try answer.number("pid"), store: try answer.text("store"),
            seed: try answer.text("seed"), requests: try answer.number("requests"),
            started: started)
    }
}
