import CommandLine

/// Work of one kind that a mock server does later than the request that caused it.
struct PendingWork {
    /// The event that does it.
    let event: String
    let count: Int
    let about: String

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        event = try answer.text("event")
        count = try answer.number("count")
        about = try answer.text("about")
    }
}
