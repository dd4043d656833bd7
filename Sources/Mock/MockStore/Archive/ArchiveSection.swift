import Basics
import CloudModel
import JSON
import SQLite

/// The rows of one table, as archives have them: a line each, in the order of their first columns.
package struct ArchiveSection: Sendable {
    /// The key of its lines.
    let name: String
    let table: String
    let columns: [ArchiveColumn]
    /// How many of the first columns tell rows apart, in whose order they stand; 0: they stand in the order
    /// in which they came.
    let keys: Int
    /// What follows the columns' names in the query.
    let source: String

    private init(
        _ name: String, _ table: String, keys: Int, _ columns: [ArchiveColumn],
        where condition: String? = nil
    ) {
        let order = keys == 0 ? "rowid" : columns.prefix(keys).map(\.name).joined(separator: ", ")
        let filter = condition.map { " WHERE \($0)" } ?? ""
        self.init(
            name, table, keys: keys, columns, from: "FROM \(table)\(filter) ORDER BY \(order)")
    }

    private init(
        _ name: String, _ table: String, keys: Int, _ columns: [ArchiveColumn], from source: String
    ) {
        (self.name, self.table, self.columns) = (name, table, columns)
        (self.keys, self.source) = (keys, source)
    }

    /// All rows.
    var query: String { "SELECT \(columns.map(\.name).joined(separator: ", ")) \(source)" }

    /// Puts one row in.
    var insertion: String {
        "INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", "))) VALUES ("
            + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    }

    /// The tables whose rows archives have as they are.
    package static var tables: [String] { all.map(\.table) }

    // MARK: - Lines

    /// A row's line, with its line feed.
    func line(_ row: [Value]) throws(MockStoreError) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(name)
        writer.beginObject()
        for (column, value) in zip(columns, row) {
            writer.key(column.key)
            try column.write(value, of: row, to: &writer)
        }
        writer.endObject()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    /// The row of a line.
    func row(_ json: JSONValue) throws(ArchiveError) -> [Value] {
        guard json.kind == .object else { throw ArchiveError(json, "must be an object") }
        let known = columns.map(\.key)
        for member in json.members where !known.contains(member.key) {
            let near = NearestName.hint(for: member.key, among: known)
            throw ArchiveError(member.value, "a \(name) has no \"\(member.key)\"\(near)")
        }
        var row: [Value] = []
        for column in columns {
            guard let value = json[column.key] else {
                throw ArchiveError(json, "a \(name) needs \"\(column.key)\"")
            }
            row.append(try column.read(value, of: row))
        }
        return row
    }

    /// Whether a row may follow another.
    func isOrdered(_ one: [Value], _ next: [Value]) -> Bool {
        for (left, right) in zip(one, next).prefix(keys) where left != right {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): return left < right
            case (.text(let left), .text(let right)):
                // As SQLite has them.
                return left.utf8.lexicographicallyPrecedes(right.utf8)
            default: return left == .null
            }
        }
        return keys == 0
    }

    // MARK: - The tables

    private static let isKept = "NOT IN (SELECT incarnation FROM doomed)"
    /// The history that an import began is none of an archive as long as nothing was changed in it.
    private static let isTold = """
        epoch IS NOT (SELECT value FROM meta
            WHERE key = 'epoch' AND EXISTS (SELECT 1 FROM meta WHERE key = 'untouched'))
        """

    /// All of them, in the order of archives; what no snapshot and no reader needs is left out, and so is
    /// what follows from records.
    static let all: [ArchiveSection] = [
        ArchiveSection(
            "user", "users", keys: 1,
            [.user("name"), .text("given").optional, .text("family").optional, .time("created")]),
        ArchiveSection(
            "profile", "profiles", keys: 1,
            [
                .user(), .text("prefix").optional, .text("middle").optional,
                .text("suffix").optional, .text("nickname").optional, .text("phonetic").optional,
                .flag("discoverable"),
            ]),
        ArchiveSection(
            "handle", "handles", keys: 3,
            [.user(), .count("kind", to: 1), .count("place"), .text("text")]),
        ArchiveSection(
            "signOut", "sign_outs", keys: 2, [.user(), .text("device"), .flag("is_out", "isOut")]),
        ArchiveSection(
            "quota", "quotas", keys: 3,
            [
                .owner, .text("container"), .text("environment"),
                .count("room", from: -1 << 50, to: 1 << 50),
            ]),
        ArchiveSection("pendingTerms", "pending_terms", keys: 1, [.user()]),
        ArchiveSection(
            "container", "containers", keys: 1,
            [.containerName, .schema.optional]),
        ArchiveSection(
            "role", "roles", keys: 4, [.container, .environment, .user(), .text("role")]),
        ArchiveSection(
            "restriction", "restrictions", keys: 3, [.container, .environment, .user()]),
        ArchiveSection(
            "field", "fields", keys: 4,
            [
                .container, .environment, .text("type"), .text("field"),
                .choice("kind", [""] + FieldValue.Kind.allCases.map(\.rawValue)), .flag("list"),
                .flag("encrypted"),
            ]),
        ArchiveSection(
            "epoch", "epochs", keys: 1,
            [.count("epoch", to: Int64(UInt32.max)), .count("parent", to: Int64(UInt32.max))],
            where: isTold),
        ArchiveSection(
            "branch", "branches", keys: 2,
            [
                .count("epoch", to: Int64(UInt32.max)), .count("place", from: -1 << 40),
                .count("seq"),
            ],
            where: isTold),
        ArchiveSection(
            "database", "databases", keys: 4,
            [
                .container, .environment,
                .choice("scope", Database.Scope.allCases.map(\.rawValue), "database"),
                .owner, .count("id", from: 1, to: 1 << 21), .count("seq"), .count("floor"),
                .count("tag"),
            ]),
        ArchiveSection(
            "zone", "zones", keys: 2,
            [
                .zone("name"), .count("db", "database"), .count("incarnation"), .flag("live"),
                .count("db_seq", "databaseSeq"), .count("seq"), .count("floor"),
                .count("purged", "deletion", to: 2),
            ]),
        ArchiveSection(
            "view", "shares", keys: 1,
            [
                .count("id"), .container, .environment, .user("owner"), .zone("zone"), .user(),
                .count("incarnation"),
            ]),
        ArchiveSection(
            "share", "share_records", keys: 1,
            [
                .count("id"), .container, .environment, .user("owner"), .zone("zone"),
                .count("incarnation"), .record(), .record("root").optional,
            ]),
        ArchiveSection(
            "participation", "participations", keys: 2,
            [.count("share"), .user(), .flag("writes"), .count("since")]),
        ArchiveSection(
            "hierarchyPlace", "hierarchy_places", keys: 2,
            [
                .count("feed"), .count("seq"), .count("zone"), .record(), .count("tag").optional,
            ], where: "feed \(isKept)"),
        ArchiveSection(
            "shortGUID", "short_guids", keys: 1,
            [
                .text("guid"), .container, .environment, .user("owner"),
                .zone("zone_name", "zoneName"), .count("zone"), .record(),
            ], where: "zone \(isKept)"),
        ArchiveSection(
            "cascade", "cascades", keys: 1,
            [.count("id", from: 1), .count("db", "database"), .count("zone"), .record()]),
        ArchiveSection(
            "subscription", "subscriptions", keys: 3,
            [
                .count("db", "database"), .text("user"), .text("id"), .text("zone").optional,
                .row(.subscription, "subscription"),
            ]),
        ArchiveSection(
            "device", "push_tokens", keys: 0,
            [
                .container, .environment, .text("token"),
                .choice("apns", PushToken.Environment.allCases.map(\.rawValue)),
                .user("account"), .text("user"), .text("device").optional,
                .text("client").optional, .text("sign_in", "signIn").optional,
            ]),
        ArchiveSection(
            "record", "records", keys: 2,
            [
                .count("zone"), .record(), .count("seq", from: 1), .type("type").optional,
                .count("tag"), .row(.record, "content"),
            ],
            from: """
                FROM (SELECT r.zone, r.name, r.seq, r.type, r.tag, r.body FROM names AS n
                    CROSS JOIN records AS r ON r.zone = n.zone AND r.seq = n.seq
                    WHERE n.zone \(isKept) ORDER BY n.zone, n.name)
                """),
    ]
}

extension ArchiveColumn {
    fileprivate static let containerName = ArchiveColumn(
        "name", nil, .text("a container's identifier", { Container.ID($0) != nil }))
    fileprivate static let schema = ArchiveColumn(
        "schema", nil,
        .text("a schema", { (try? Schema(parsing: $0, checksNames: false)) != nil }))
    /// Nobody's are the public databases.
    fileprivate static let owner = ArchiveColumn(
        "user", nil, .text("a user's name, or empty", { $0.isEmpty || MockUser.isValid(name: $0) }))
}
