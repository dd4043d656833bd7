/// An expectation of the journal: how many requests match a pattern.
package struct JournalExpectation: Sendable, Hashable {
    /// How many there are to be.
    package enum Count: Sendable, Hashable, CustomStringConvertible {
        case exactly(Int)
        case within(atLeast: Int, atMost: Int?)

        var least: Int {
            switch self {
            case .exactly(let count): count
            case .within(let least, _): least
            }
        }

        /// nil: any number.
        package var most: Int? {
            switch self {
            case .exactly(let count): count
            case .within(_, let most): most
            }
        }

        package var description: String {
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

    package init(pattern: RequestPattern, count: Count) {
        self.pattern = pattern
        self.count = count
    }

    package var description: String { "\(count) \(pattern)" }
}
