import CommandLine
import MockAdmin

/// Work of one kind that a mock server does later than the request that it follows from.
struct PendingWork {
    /// nil: a kind that this program does not know.
    let kind: Tick?
    let count: Int
    let about: String

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        kind = Tick(rawValue: try answer.text("what"))
        count = try answer.number("waiting")
        about = try answer.text("about")
    }
}
