import Basics
import CloudModel
import SQLite

/// Replaces what the store holds by a snapshot, or by a snapshot file.
///
/// A copy is made first, between requests, and the rows to keep are added to it. Then the copy replaces the store in one
/// step: no request sees a part of it, and if the disk is full or the server is killed, nothing has changed.
package final class RestoreJob: EventJob {
    private enum Source {
        /// The contents of all databases. Accounts, schemas, push tokens and everything else are kept.
        case snapshot(String, StoreImage, StoreCopy)
        /// All of it; only credentials are kept.
        case file(SnapshotReader)
    }

    private let source: Source
    private var copied: StoreImage?
    private var busySlices = 0

    init(_ name: String, _ image: StoreImage) throws(MockStoreError) {
        source = .snapshot(name, image, try StoreCopy(forRestoreOf: image))
    }

    package init(_ file: SnapshotReader) { source = .file(file) }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        guard let copied else {
            copied =
                switch source {
                case .snapshot(_, _, let copy): try copy.runSlice()
                case .file(let reader): try reader.readSome()
                }
            return true
        }
        // What others wrote in this turn is committed with it, before this.
        guard !store.isInTransaction else {
            busySlices += 1
            guard busySlices < StoreCopy.busySlicesMax else { throw StoreCopy.busy }
            return true
        }
        switch source {
        case .snapshot(_, let image, _):
            try store.replace(by: copied, filesFrom: image.assets) {
                work, live throws(CloudError) in
                try store.keepAccounts(in: work, of: live)
            }
        case .file(let reader):
            try store.replace(by: copied, filesFrom: copied.assets) {
                work, live throws(CloudError) in
                try store.keepCredentials(in: work, of: live)
            }
            store.snapshots.forgetAll()
            // The server that wrote the file continues to draw names from its own generator.
            let drawn =
                store.context.generator.next() ^ FNV1a.hash(Hexadecimal.encode(reader.sha256))
            store.context.generator = SeededGenerator(seed: drawn)
        }
        return false
    }

    package func finish(_ store: MockStore) throws(MockStoreError) {
        guard !store.isInTransaction else { throw StoreCopy.busy }
        while try runSlice(store) {}
    }

    package func report() -> SimulatedEvent.Report {
        let name =
            switch source {
            case .snapshot(let name, _, _): "snapshot \(name)"
            case .file: "a snapshot file"
            }
        return SimulatedEvent.Report(message: "the service is restored to \(name)", changed: 1)
    }
}

extension MockStore {
    /// Opens a snapshot file, to restore it.
    package func reader(ofFile path: String) throws(MockStoreError) -> SnapshotReader {
        try SnapshotReader(path, at: context.tables.isInMemory ? .memory : .temporary)
    }

    /// The tables that a restore of a snapshot does not change, except for `assets`, of which every restore keeps the rows
    /// of both.
    private static let accountTables = [
        "meta", "users", "containers", "restrictions", "roles", "sign_outs", "profiles", "handles",
        "quotas", "pending_terms", "push_tokens", "uploads", "epochs", "branches",
    ]
    /// The tables that no restore changes. No upload gets the number of an earlier one.
    private static let credentialTables = [
        "expired_web_tokens", "spent_runs", "spent_tokens", "sqlite_sequence",
    ]

    fileprivate var isInTransaction: Bool { context.tables.connection.isInTransaction }

    /// - Parameters:
    ///   - folder: The files of the copy's assets; the store may have deleted some of its own.
    ///   - prepare: Adds to the first tables what is to be kept of the second ones, and a new history.
    fileprivate func replace(
        by image: StoreImage, filesFrom folder: AssetFolder?,
        _ prepare: (StoreTables, StoreTables) throws(CloudError) -> Void
    ) throws(MockStoreError) {
        let (live, work) = (context.tables, try StoreTables(.memory, image))
        let assets = try work.translating { () throws(CloudError) in
            try work.beginIfNeeded()
            try prepare(work, live)
            // The collector removes the rows of files without references.
            try work.insert(into: "assets", try live.values("SELECT * FROM assets"))
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

    private func keep(
        _ tables: [String], in work: StoreTables, of live: StoreTables
    ) throws(CloudError) {
        for table in tables {
            try work.run("DELETE FROM \(table)")
            try work.insert(into: table, try live.values("SELECT * FROM \(table)"))
        }
    }

    /// Prepares the copy of a snapshot.
    fileprivate func keepAccounts(
        in work: StoreTables, of live: StoreTables
    ) throws(CloudError) {
        let epoch = try work.meta("epoch") ?? 0
        let lastZone = try work.meta("incarnation") ?? 0
        try keep(Self.accountTables + Self.credentialTables, in: work, of: live)
        // Uploads into zones that the snapshot does not have end.
        try work.run("DELETE FROM uploads WHERE zone > ?", lastZone)
        try work.histories.keepTags(of: try live.histories.counters())
        try work.histories.begin(
            after: UInt32(truncatingIfNeeded: epoch), now: histories.current)
    }

    /// Prepares what was read from a file.
    fileprivate func keepCredentials(
        in work: StoreTables, of live: StoreTables
    ) throws(CloudError) {
        let epoch = try work.meta("epoch") ?? 0
        try keep(Self.credentialTables, in: work, of: live)
        for row in try live.values("SELECT key, value FROM meta") {
            try work.run("INSERT OR IGNORE INTO meta VALUES (?, ?)", row[0], row[1])
        }
        let hasTokens = try live.number("SELECT 1 FROM databases LIMIT 1") != nil
        try work.histories.begin(
            afterFile: UInt32(truncatingIfNeeded: epoch),
            besides: hasTokens ? try live.histories.numbers() : nil, &context.generator)
    }
}
