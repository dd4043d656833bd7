import FileSystem
import MockStore
package import SQLite

/// The bytes of a snapshot file, to be compared and damaged.
package struct SnapshotBytes: Sendable, Hashable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(of file: SnapshotFile) throws {
        bytes = try Files(workingFolder: "/").read(file.path, bytesMax: 1 << 30)
    }

    /// Whether a text is in it, in UTF-8; not in an encrypted field, whose bytes are masked.
    package func contains(_ text: String) -> Bool { bytes.contains(Array(text.utf8)) }

    /// Runs `body` with a file of these bytes.
    package func inFile<Result>(_ body: (String) throws -> Result) throws -> Result {
        let file = try SnapshotFile()
        try file.create().write(bytes)
        return try withExtendedLifetime(file) { try body(file.path) }
    }

    /// The rows of all tables, a text each.
    ///
    /// - Parameter leavingOut: Tables that are not compared.
    package func rows(leavingOut: Set<String> = []) throws -> [String] {
        try inFile { path in
            let file = try Connection(.file(path), readOnly: true)
            let names = try file.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            ).compactMap { $0[0].string }
            return try names.filter { !leavingOut.contains($0) }.flatMap { name in
                try file.rows("SELECT * FROM \(name)").map { "\(name) \($0)" }
            }
        }
    }

    /// The rows of a query.
    package func rows(of query: String) throws -> [[Value]] {
        try inFile { try Connection(.file($0), readOnly: true).rows(query) }
    }

    /// The rows that are equal in stores with equal data: all but those of histories, which are each store's own.
    package func data() throws -> [String] {
        try rows(leavingOut: ["epochs", "branches", "meta", "seal"])
    }

    /// This file after a statement of SQL.
    package func edited(_ sql: String) throws -> SnapshotBytes {
        try inFile { path in
            do {
                let file = try Connection(.file(path))
                try file.execute("PRAGMA journal_mode = OFF; PRAGMA foreign_keys = OFF; \(sql)")
            }
            return SnapshotBytes(try Files(workingFolder: "/").read(path, bytesMax: 1 << 30))
        }
    }
}
