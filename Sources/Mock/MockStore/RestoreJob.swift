import CloudModel
import SQLite

/// Replaces the contents of all databases by a snapshot. Accounts, schemas, push tokens and everything else are kept.
///
/// The snapshot is copied first, between requests, and the rows to keep are added to the copy. Then the copy replaces the
/// store in one step: no request sees a part of it, and if the disk is full or the server is killed, nothing has changed.
package final class RestoreJob: ActJob {
    private let name: String
    private let image: StoreImage
    private let copy: StoreCopy
    private var copied: StoreImage?
    private var busySlices = 0

    init(_ name: String, _ image: StoreImage) throws(MockStoreError) {
        self.name = name
        self.image = image
        copy = try StoreCopy(forRestoreOf: image)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        guard let copied else {
            copied = try copy.runSlice()
            return true
        }
        // What others wrote in this turn is committed with it, before this.
        guard !store.isInTransaction else {
            busySlices += 1
            guard busySlices < StoreCopy.busySlicesMax else { throw StoreCopy.busy }
            return true
        }
        try store.replace(by: copied, filesFrom: image.assets)
        return false
    }

    package func finish(_ store: MockStore) throws(MockStoreError) {
        guard !store.isInTransaction else { throw StoreCopy.busy }
        try store.replace(by: try copy.finish(), filesFrom: image.assets)
    }

    package func report() -> MockAct.Report {
        MockAct.Report(message: "the service is restored to snapshot \(name)", changed: 1)
    }
}

extension MockStore {
    /// The tables that a restore does not change, except for `assets`, of which it keeps the rows of both.
    private static let keptTables = [
        "meta", "users", "containers", "restrictions", "roles", "sign_outs", "profiles", "handles",
        "quotas", "pending_terms", "expired_web_tokens", "spent_runs", "spent_tokens",
        "push_tokens", "uploads", "epochs", "branches",
    ]

    fileprivate var isInTransaction: Bool { context.tables.connection.isInTransaction }

    /// - Parameter folder: The files of the snapshot's assets; the store may have deleted some of its own.
    fileprivate func replace(
        by image: StoreImage, filesFrom folder: AssetFolder?
    ) throws(MockStoreError) {
        let (live, work) = (context.tables, try StoreTables(.memory, image))
        let assets = try work.translating { () throws(CloudError) in
            try prepare(work, toReplace: live)
            return try work.assets.digests()
        }
        let linked = try self.assets.link(assets, from: folder)
        defer { for digest in linked { self.assets.settle(digest) } }
        do throws(SQLiteError) {
            try work.connection.commit()
            try live.replaceAll(by: work.connection)
        } catch {
            throw StoreTables.storeError(error)
        }
        try reload()
        // A backup is no commit that the flusher counts: this one is, so the response waits for the disk.
        try stored { () throws(CloudError) in
            try live.beginIfNeeded()
            try live.setMeta("epoch", Int64(histories.current))
        }
    }

    /// Adds to the copy of a snapshot the rows to keep, and a new history.
    private func prepare(_ work: StoreTables, toReplace live: StoreTables) throws(CloudError) {
        let epoch = try work.meta("epoch") ?? 0
        let lastZone = try work.meta("incarnation") ?? 0
        try work.beginIfNeeded()
        for table in Self.keptTables {
            try work.run("DELETE FROM \(table)")
            try work.insert(into: table, try live.values("SELECT * FROM \(table)"))
        }
        // The collector removes the rows of files without references.
        try work.insert(into: "assets", try live.values("SELECT * FROM assets"))
        // Uploads into zones that the snapshot does not have end.
        try work.run("DELETE FROM uploads WHERE zone > ?", lastZone)
        try work.histories.keepTags(of: try live.histories.counters())
        try work.histories.begin(
            after: UInt32(truncatingIfNeeded: epoch), now: histories.current)
    }
}
