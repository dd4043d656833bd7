package import CloudModel

/// What is remembered of a zone between two readings of its feed.
package struct ZoneState: Sendable {
    /// Up to where the app has been told the zone's changes; nil: nothing of it.
    package var token: ChangeToken?
    /// Whether the server has changes that were not fetched.
    package var hasNews = false
    /// Whether the feed is being read from its beginning.
    package var isReadWhole = false
    /// Whether a whole listing of the database's zones did not have this one. It counts as gone
    /// only when its own feed says so: a list can be incomplete.
    package var isDoubted = false
    package var known = KnownRecords()

    package init() {}

    /// Begins a reading of the whole zone: what is known and not shown by its end is gone.
    mutating func readWhole() {
        isReadWhole = true
        known.beginReading()
    }
}
