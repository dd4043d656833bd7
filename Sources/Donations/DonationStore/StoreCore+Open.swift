import Donations
import FileSystem
import SQLite

extension StoreCore {
    /// Opens the file, makes it when it is missing, and refuses one that is not a store.
    static func open(
        _ configuration: DonationConfiguration
    ) throws(DonationError) -> Connection {
        guard !configuration.bundleIdentifier.isEmpty else {
            throw DonationError(.invalid, "a donation store needs a bundle identifier")
        }
        var location = Connection.Location.memory
        if !configuration.directory.isEmpty {
            // When this fails, what opening the file meets says why.
            try? Files(workingFolder: ".").makeFolder(configuration.directory)
            location = .file(configuration.databasePath)
        }
        do throws(SQLiteError) {
            // Selectors, kinds and steps make some hundred statements.
            let connection = try Connection(
                location, busyTimeout: configuration.busyTimeout, cacheSizeMax: 800)
            try check(connection, configuration)
            return connection
        } catch {
            let failure = DonationError(error)
            throw DonationError(
                failure.code,
                "the donation store \(configuration.databasePath): "
                    + (error.code == 26 ? error.message : failure.reason))
        }
    }

    private static func check(
        _ connection: Connection, _ configuration: DonationConfiguration
    ) throws(SQLiteError) {
        // Nothing is written before the file is known to be ours.
        if try isEmpty(connection) {
            try connection.useWriteAheadLog(configuration.isDurable ? .full : .off)
            try connection.transaction { () throws(SQLiteError) in
                // Somebody else may have been quicker.
                guard try isEmpty(connection) else { return }
                try connection.execute(StoreSchema.tables)
                try connection.run(
                    "INSERT INTO facts VALUES ('bundle', ?)",
                    .text(configuration.bundleIdentifier))
                try connection.execute(
                    "INSERT INTO facts VALUES ('marks', hex(randomblob(16)))")
                try layOut(connection, bits: configuration.searchPieceBits)
                try connection.execute(
                    "PRAGMA application_id = \(StoreSchema.applicationID);"
                        + "PRAGMA user_version = \(StoreSchema.version)")
            }
        } else {
            try refuseForeign(connection, accepted: 1...StoreSchema.version)
            try connection.useWriteAheadLog(configuration.isDurable ? .full : .off)
            try bringUpToDate(connection, configuration)
        }
        try refuseForeign(connection, accepted: StoreSchema.version...StoreSchema.version)
        try connection.execute(
            "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;"
                + "PRAGMA cache_size = -\(cacheKilobytes);"
                + "CREATE TEMP TABLE keys(key TEXT PRIMARY KEY) WITHOUT ROWID;" + syncScratch)
        let owner = try connection.rows("SELECT value FROM facts WHERE name = 'bundle'")
        guard owner.first?.first?.string?.isSame(as: configuration.bundleIdentifier) == true
        else {
            throw SQLiteError(extendedCode: 26, message: "belongs to another app")
        }
    }

    /// The pages kept in memory: beyond them a large transaction writes early and reads again.
    private static let cacheKilobytes = 4096

    private static func isEmpty(_ connection: Connection) throws(SQLiteError) -> Bool {
        let tables = try connection.rows("SELECT count(*) FROM sqlite_schema")
        let mark = try connection.rows("PRAGMA application_id")
        return tables.first?.first == .integer(0) && mark.first?.first == .integer(0)
    }

    private static func version(_ connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.rows("PRAGMA user_version").first?.first?.int64 ?? 0
    }

    /// Adds to a file of an older version what later ones have more.
    private static func bringUpToDate(
        _ connection: Connection, _ configuration: DonationConfiguration
    ) throws(SQLiteError) {
        guard try version(connection) < StoreSchema.version else { return }
        try connection.transaction { () throws(SQLiteError) in
            // Somebody else may have been quicker.
            let version = try version(connection)
            guard version < StoreSchema.version else { return }
            if version < 2 {
                try connection.execute(StoreSchema.sync)
            } else {
                if version < 4 { try connection.execute(StoreSchema.goneOfVersion4) }
                try connection.execute(StoreSchema.zonesOfVersion5)
            }
            try layOut(connection, bits: configuration.searchPieceBits)
            try connection.execute("PRAGMA user_version = \(StoreSchema.version)")
        }
    }

    private static func refuseForeign(
        _ connection: Connection, accepted: ClosedRange<Int64>
    ) throws(SQLiteError) {
        let mark = try connection.rows("PRAGMA application_id").first?.first?.int64
        guard mark == StoreSchema.applicationID else {
            throw SQLiteError(extendedCode: 26, message: "is not a donation store")
        }
        let version = try version(connection)
        guard accepted.contains(version) else {
            throw SQLiteError(
                extendedCode: 26,
                message: "has version \(version), which this tool does not support")
        }
    }

    /// Removes image files that no row names: what a run that was ended left behind.
    func sweepImages() throws(DonationError) {
        guard images.exists else { return }
        do throws(SQLiteError) {
            // Whoever writes images holds this lock until they are committed.
            try connection.begin(.immediate)
            defer { connection.rollback() }
            let statement = try connection.prepare("SELECT 1 FROM images WHERE name = ?")
            for name in images.names() {
                statement.bind(1, name)
                let isNamed = try statement.step()
                statement.reset()
                if !isNamed { images.remove(name) }
            }
        } catch {
            throw DonationError(error)
        }
    }
}
