import CloudModel
import SQLite

/// A tie from one record to another of its zone.
package struct Link: Hashable, Comparable {
    package enum Kind: Int64 {
        case deleteSelf = 1
        case validate = 2
        case parent = 3
    }
    let target: String
    let kind: Kind

    /// A record that points to another.
    package struct Source: Hashable {
        package let name: String
        package let kind: Kind
    }

    package static func < (one: Link, other: Link) -> Bool {
        (one.kind.rawValue, one.target) < (other.kind.rawValue, other.target)
    }
}

/// The rows of links between records.
struct LinkTable {
    let tables: StoreTables

    /// Changes what a record points to.
    func relink(
        _ source: String, in zone: Int64, from old: Set<Link>, to new: Set<Link>
    ) throws(CloudError) {
        for link in old.subtracting(new) {
            try tables.run(
                "DELETE FROM links WHERE zone = ? AND target = ? AND kind = ? AND source = ?",
                zone, link.target, link.kind.rawValue, source)
        }
        for link in new.subtracting(old) {
            try tables.run(
                "INSERT OR IGNORE INTO links VALUES (?, ?, ?, ?)", zone, link.target,
                link.kind.rawValue, source)
        }
    }

    /// The records that point to `target`, by name.
    func sources(
        of target: String, _ kind: Link.Kind, in zone: Int64
    ) throws(CloudError) -> [String] {
        try tables.rows(
            "SELECT source FROM links WHERE zone = ? AND target = ? AND kind = ?", zone, target,
            kind.rawValue
        ) { $0.text(at: 0) }
    }

    /// Some records that point to `target`, whatever the kind.
    func sources(
        of target: String, in zone: Int64, limit: Int
    ) throws(CloudError) -> [Link.Source] {
        try tables.rows(
            """
            SELECT source, kind FROM links WHERE zone = ? AND target = ?
            ORDER BY kind, source LIMIT ?
            """, zone, target, limit
        ) { row throws(CloudError) in
            guard let kind = Link.Kind(rawValue: row.int64(at: 1)) else { throw tables.damaged() }
            return Link.Source(name: row.text(at: 0), kind: kind)
        }
    }

    /// How many records point to `target`, not counting `source`.
    func sourceCount(
        of target: String, _ kind: Link.Kind, in zone: Int64, except source: String
    ) throws(CloudError) -> Int {
        Int(
            try tables.number(
                """
                SELECT count(*) FROM links
                WHERE zone = ? AND target = ? AND kind = ? AND source <> ?
                """, zone, target, kind.rawValue, source) ?? 0)
    }
}
