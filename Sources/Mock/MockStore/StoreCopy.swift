import AsyncOperations
import CloudModel
import FileSystem
import SQLite

/// A copy of a store that is being made, in slices, while the store goes on: it is the store as it is when
/// the last slice ends.
package final class StoreCopy {
    /// Pages of 4096 bytes that are copied at once.
    private static let pages = 64
    /// Files of assets that are linked at once.
    private static let files = 50

    /// Slices in which the store may be written to before it is held too busy to be copied.
    static let busySlicesMax = 1000

    private let source: Connection
    private let folder: AssetFolder?
    private let snapshots: () -> [String: StoreImage]
    private let copy: Connection
    private let backup: Backup
    private let links: AssetFolder?
    /// The last file that was linked, and whether those before the end are.
    private var linked = ""
    private var hasLinked: Bool
    private var known: Set<String> = []
    private var busySlices = 0

    package static let busy = MockStoreError(
        .busy, "the store is being written to constantly: try again later")

    /// Whether nothing can be copied now, as a transaction is open.
    private var isHeldUp: Bool { source.isInTransaction }

    /// Begins to copy a store with its snapshots.
    package convenience init(of store: MockStore) throws(MockStoreError) {
        try self.init(of: store.context.tables.connection, store.assets.folderInUse) {
            store.snapshots.all
        }
    }

    /// Begins to copy a store for a snapshot of it.
    convenience init(forSnapshotOf store: MockStore) throws(MockStoreError) {
        try self.init(of: store.context.tables.connection, store.assets.folderInUse)
    }

    /// Begins to copy what a store holds for a snapshot file, to a place that does not grow in memory.
    package convenience init(forFileOf store: MockStore) throws(MockStoreError) {
        try self.init(
            of: store.context.tables.connection, store.assets.folderInUse, at: .temporary)
    }

    /// Begins to copy an image, of which there may be any number of copies.
    package convenience init(of image: StoreImage) throws(MockStoreError) {
        try self.init(of: image.connection, image.assets) { image.snapshots }
    }

    /// Begins to copy the rows of an image, without its files.
    convenience init(forRestoreOf image: StoreImage) throws(MockStoreError) {
        try self.init(of: image.connection, nil)
    }

    private init(
        of source: Connection, _ folder: AssetFolder?, at place: Connection.Location = .memory,
        _ snapshots: @escaping () -> [String: StoreImage] = { [:] }
    ) throws(MockStoreError) {
        self.source = source
        self.folder = folder
        self.snapshots = snapshots
        hasLinked = folder == nil
        do throws(SQLiteError) {
            copy = try Connection(place)
            try StoreTables.prepare(copy)
            backup = try Backup(from: source, to: copy)
        } catch {
            throw StoreTables.storeError(error)
        }
        do throws(FileError) {
            links = folder == nil ? nil : try AssetFolder()
        } catch {
            throw MockStoreError(.failed, error.description)
        }
    }

    /// Copies for some time; the whole image at the end.
    ///
    /// While the source has a transaction open, nothing is copied.
    ///
    /// - Throws: ``busy`` when that is so in too many slices, one after the other.
    package func runSlice(for duration: Duration = .milliseconds(10)) throws(MockStoreError)
        -> StoreImage?
    {
        guard !isHeldUp else {
            busySlices += 1
            guard busySlices < Self.busySlicesMax else { throw Self.busy }
            return nil
        }
        busySlices = 0
        let began = ContinuousClock.now
        do throws(SQLiteError) {
            while true {
                if try !copySome() { return try copyRest() }
                guard ContinuousClock.now - began < duration else { return nil }
            }
        } catch {
            throw StoreTables.storeError(error)
        }
    }

    /// Copies all of it at once.
    package func finish() throws(MockStoreError) -> StoreImage {
        while true {
            guard !isHeldUp else { throw Self.busy }
            if let image = try runSlice(for: .seconds(60)) { return image }
        }
    }

    /// Copies some, but the last pages; says whether there is more of the others.
    private func copySome() throws(SQLiteError) -> Bool {
        if try backup.remaining() > Self.pages {
            _ = try backup.copySome(pages: Self.pages)
            return true
        }
        guard !hasLinked else { return false }
        let names = try source.rows(
            "SELECT digest FROM assets WHERE digest > ? ORDER BY digest LIMIT \(Self.files)",
            .text(linked)
        ).compactMap { $0.first?.string }
        for name in names { try link(name) }
        linked = names.last ?? linked
        hasLinked = names.count < Self.files
        return true
    }

    /// Copies the rest: all of it belongs to one moment.
    private func copyRest() throws(SQLiteError) -> StoreImage {
        while try backup.copySome(pages: .max) {}
        if folder != nil {
            let names = try copy.rows("SELECT digest FROM assets").compactMap { $0.first?.string }
            for name in names where !known.contains(name) { try link(name) }
        }
        return StoreImage(copy, assets: links, snapshots: snapshots())
    }

    private func link(_ name: String) throws(SQLiteError) {
        guard let folder, let links, let digest = AssetDigest(name: name) else { return }
        do throws(FileError) {
            try links.link(digest, from: folder)
        } catch {
            throw SQLiteError(
                extendedCode: 10, message: "an asset's file cannot be linked: \(error)")
        }
        known.insert(name)
    }
}
