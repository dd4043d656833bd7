import SQLite

/// What a store held at one moment, in memory, for another store to begin with.
package final class StoreImage {
    let connection: Connection
    /// The files of its assets; nil where it has none.
    let assets: AssetFolder?
    let snapshots: [String: Snapshot]

    init(_ connection: Connection, assets: AssetFolder?, snapshots: [String: Snapshot]) {
        self.connection = connection
        self.assets = assets
        self.snapshots = snapshots
    }
}
