import Basics
import SQLite

/// What an export under way has taken in so far: records by part and name, in one SQLite file.
///
/// Everything is taken in by the attempt under a number, which says what this attempt has seen.
struct ExportState {
    private let file: ExportStateFile
    let parts: TakenParts
    let assets: TakenAssets

    /// Opens the file, or makes it.
    ///
    /// - Throws: `otherExport` when it is about somebody or something else.
    init(_ path: String, of subject: ExportSubject, began: Timestamp) throws(ExportError) {
        file = try ExportStateFile(path, of: subject, began: began)
        assets = TakenAssets(file: file)
        parts = TakenParts(file: file, assets: assets)
    }

    /// When the first attempt began.
    func began() throws(ExportError) -> Timestamp { try file.began() }

    /// Forgets what this attempt has not seen: zones that are gone, and records reached by name.
    func forgetUnseen() throws(ExportError) {
        try file.reading { () throws(SQLiteError) in
            try file.connection.transaction { () throws(SQLiteError) in
                let now = Value.integer(file.attempt)
                try file.connection.run("DELETE FROM part WHERE attempt <> ?", now)
                try file.connection.run(
                    """
                    DELETE FROM record WHERE part NOT IN (SELECT id FROM part) OR (attempt <> ?
                    AND part IN (SELECT id FROM part WHERE kind <> 'zone'))
                    """, now)
                try file.connection.execute(
                    """
                    DELETE FROM asset WHERE NOT EXISTS (SELECT 1 FROM record
                    WHERE record.part = asset.part AND record.name = asset.name)
                    """)
            }
        }
    }
}
