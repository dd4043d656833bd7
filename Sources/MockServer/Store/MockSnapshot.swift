import SQLite

/// What every database of a mock service held at one time.
package struct MockSnapshot: Sendable {
    /// The service it was taken of.
    let seed: UInt64
    /// The history it belongs to.
    let epoch: UInt32
    /// The rows of each table.
    let rows: [String: [[Value]]]

    /// The tables that are put back, in the order of writing.
    static let tables = [
        "databases", "zones", "records", "names", "links", "doomed", "cascades",
        "subscriptions", "fields", "shares",
    ]
}
