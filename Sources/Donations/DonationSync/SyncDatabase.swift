package import Basics
package import CloudModel

/// What is stored about one database.
package struct SyncDatabase: Sendable, Hashable {
    /// Where its feed was read to; nil: from the beginning. Never the empty token.
    package var token: ChangeToken?
    /// Counts the readings of the feed from its beginning.
    package var generation: Int64 = 1
    /// Whether the feed is being read from the beginning: zones it does not name are gone after.
    package var isListing = true
    /// Whether zones that a complete list did not name are still to be taken away.
    package var isSweeping = false
    /// How many lists in a row were ended by a refused token.
    package var abortedLists: Int64 = 0
    /// Whether the donation zone may have something new.
    package var isExchangeDirty = false
    /// Pages in a row that came with the token they were asked with, and more to come.
    package var repeats: Int64 = 0
    /// Nothing is asked before this moment.
    package var notBefore: Timestamp?
    /// When ``notBefore`` was set: a clock that was turned back since begins the wait anew.
    package var waitsSince: Timestamp?
    /// Why ``notBefore`` is set.
    package var wait: SyncWait?
    /// How many failures came in a row; doubles the wait, halved by a success.
    package var failures: Int64 = 0
    /// Why the last round stopped; nil when it did not.
    package var halt: SyncHalt?
    /// When a round last came to its end.
    package var lastRound: Timestamp?

    /// A database of which nothing is known.
    package init() {}
}
