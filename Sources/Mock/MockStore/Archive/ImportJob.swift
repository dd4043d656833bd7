import CloudModel
import FileSystem
package import JSON

/// An archive that is put in the place of all that a store holds. Until its last line all of it is one open
/// transaction: other requests are refused as by a busy service, and nothing has happened if a line is wrong,
/// the disk is full, or the server ends.
package final class ImportJob: StoreJob {
    private let lines: ArchiveLines
    private var reader: ArchiveReader?
    private let readSettings: (JSONValue) throws(ArchiveError) -> Void
    package private(set) var counts = Counts()

    /// What was put in.
    package struct Counts {
        package var users = 0, databases = 0, zones = 0, records = 0, assets = 0
    }

    /// - Parameter settings: Receives the value of the line with the settings of the server, before any row.
    package init(
        _ lines: ArchiveLines,
        settings: @escaping (JSONValue) throws(ArchiveError) -> Void = { _ in }
    ) {
        self.lines = lines
        readSettings = settings
    }

    /// Whether some of it stands in a transaction that must not be committed yet.
    var isUnfinished: Bool { reader != nil }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        if reader == nil {
            try store.context.claim(self)
            // What others wrote in this turn is committed with it, before anything of this.
            if store.context.tables.connection.isInTransaction { return true }
        }
        do throws(MockStoreError) {
            if try work(store) { return true }
            try store.reload()
        } catch {
            try undo(store)
            throw error
        }
        end(store)
        return false
    }

    package func abandon(_ store: MockStore) throws(MockStoreError) {
        if isUnfinished { try undo(store) } else { store.context.release(self) }
    }

    /// Takes lines for some milliseconds; says whether there are more.
    private func work(_ store: MockStore) throws(MockStoreError) -> Bool {
        let began = ContinuousClock.now
        let reader = if let reader { reader } else { try begin(store) }
        while let line = try lines.next() {
            try reader.take(line)
            guard ContinuousClock.now - began < .milliseconds(15) else { return true }
        }
        try reader.finish()
        counts = Counts(
            users: reader.rows("user"), databases: reader.rows("database"),
            zones: reader.rows("zone"), records: reader.rows("record"),
            assets: reader.placed.count)
        return false
    }

    private func begin(_ store: MockStore) throws(MockStoreError) -> ArchiveReader {
        let reader = ArchiveReader(store, settings: readSettings)
        self.reader = reader
        try store.context.tables.translating { () throws(CloudError) in try reader.begin() }
        return reader
    }

    /// Nobody else has written in this transaction.
    private func undo(_ store: MockStore) throws(MockStoreError) {
        reader?.drop()
        store.context.tables.rollback()
        defer { end(store) }
        try store.didRollBack()
    }

    /// Lets requests in again.
    private func end(_ store: MockStore) {
        for digest in reader?.placed ?? [] { store.assets.settle(digest) }
        reader = nil
        store.context.release(self)
    }
}
