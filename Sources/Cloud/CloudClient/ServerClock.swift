import AsyncOperations
package import Basics
package import CloudModel

/// Holds a server's clock against ours, by the dates of its answers.
package final class ServerClock: Sendable {
    private let seen = Locked<ClockSkew?>(nil)

    package init() {}

    /// Takes the `Date` of an answer; a date that is missing or is none says nothing.
    package func note(_ date: String?, at now: Timestamp) {
        guard let date = date.flatMap(HTTPDate.parse) else { return }
        let skew = date.milliseconds - now.milliseconds
        seen.withLock { seen in
            seen = ClockSkew(first: seen?.first ?? skew, last: skew)
        }
    }

    /// nil before the first answer that had a date.
    package var skew: ClockSkew? { seen.withLock { $0 } }
}
