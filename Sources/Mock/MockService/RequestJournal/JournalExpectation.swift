/// An expectation of the journal: how many requests match a pattern.
struct JournalExpectation: Sendable, Hashable {
    /// How many there are to be.
    enum Count: Sendable, Hashable, CustomStringConvertible {
        case exactly(Int)
        case within(atLeast: Int, atMost: Int?)

        var least: Int {
            switch self {
            case .exactly(let count): count
            case .within(let least, _): least
            }
        }

        /// nil: any number.
        var most: Int? {
            switch self {
            case .exactly(let count): count
            case .within(_, let most): most
            }
        }

        var description: String {
            switch self {
            case .exactly(let count): "exactly \(count)"
            case .within(let least, nil): "at least \(least)"
            case .within(0, let most?): "at most \(most)"
            case .within(let least, let most?): "\(least) to \(most)"
            }
        }
    }

    let pattern: RequestPattern
    let count: Count

    var description: String { "\(count) \(pattern)" }
}
