import SQLite

/// What a store held at one moment, in memory, for another store to begin with.
package final class StoreImage {
    let connection: Connection
    /// The files of its assets; nil where it has none.
    let assets: AssetFolder?
    /// Those of the store.
    let snapshots: [String: StoreImage]

    init(
        _ connection: Connection, assets: AssetFolder?, snapshots: [String: StoreImage] = [:]
    ) {
        self.connection = connection
        self.assets = assets
        self.snapshots = snapshots
    }
}
