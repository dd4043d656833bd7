package import CloudModel
package import DonationSync
package import Donations
import SQLite

// Donations that are linked to content.
extension StoreSync {
    package mutating func refuseLinks(into part: ContentLink) throws(DonationError) {
        try allowLinks(into: part)
        try core.change(
            "INSERT INTO sync_refusals VALUES (?, ?, ?, ?, ?)", .text(part.container),
            .text(orNull: part.scope), .text(orNull: part.zone), .text(orNull: part.zoneOwner),
            .text(orNull: part.record))
    }

    package mutating func allowLinks(into part: ContentLink) throws(DonationError) {
        try core.change(
            "DELETE FROM sync_refusals WHERE container = ? AND scope IS ? AND zone IS ?"
                + " AND owner IS ? AND record IS ?", .text(part.container),
            .text(orNull: part.scope), .text(orNull: part.zone), .text(orNull: part.zoneOwner),
            .text(orNull: part.record))
    }

    package func refusesLink(_ link: ContentLink) throws(DonationError) -> Bool {
        let parts = try core.read(
            "SELECT container, scope, zone, owner, record FROM sync_refusals WHERE container = ?",
            .text(link.container)
        ) { row in
            ContentLink(
                container: row.text(at: 0), scope: row.optionalText(at: 1),
                zone: row.optionalText(at: 2), zoneOwner: row.optionalText(at: 3),
                record: row.optionalText(at: 4))
        }
        if parts.contains(where: { $0.contains(link) }) { return true }
        guard let zone = link.zone else { return false }
        let fenced = try core.read(
            "SELECT environment, scope, owner FROM sync_fences"
                + " WHERE container = ? AND name = ? AND \(Self.stands)", .text(link.container),
            .text(zone)
        ) { ($0.text(at: 0), $0.text(at: 1), $0.text(at: 2)) }
        for (environment, scope, owner) in fenced {
            guard let container = Container.ID(link.container),
                let environment = Container.Environment(rawValue: environment),
                let scope = Database.Scope(rawValue: scope)
            else { continue }
            let address = Database.Address(
                container: container, environment: environment, scope: scope)
            let user = try account(at: address).identity
            let parts = address.part(RecordZone.ID(zone, owner: owner), user: user)
            if parts.contains(where: { $0.contains(link) }) { return true }
        }
        return false
    }

    package mutating func suspend(_ container: Container.ID) throws(DonationError) {
        try core.change("INSERT OR IGNORE INTO restricted VALUES (?, 1)", .text(container.rawValue))
    }

    package mutating func resume(_ container: Container.ID) throws(DonationError) {
        try core.change(
            "DELETE FROM restricted WHERE container = ? AND by_sync = 1",
            .text(container.rawValue))
    }

    // MARK: Deleting

    package mutating func deleteLinked(
        _ parts: [ContentLink], _ removal: SyncRemoval
    ) throws(DonationError) -> Int {
        try beginRemoving()
        var places: [String: [(kind: DonationKind, scope: String?)]] = [:]
        for part in parts where places[part.container] == nil {
            places[part.container] = try linkPlaces(part.container)
        }
        var found = 0
        for part in parts {
            for (kind, scope) in places[part.container] ?? []
            where part.scope?.isSame(as: scope) ?? true {
                found += try markGone(kind, Self.inside(part, scope))
            }
        }
        guard found > 0 else { return 0 }
        try nameShared("pid", [.activity, .savedActivity], as: 0)
        try nameShared("grp", [.interaction], as: 1)
        for kind in [DonationKind.activity, .savedActivity] {
            _ = try markGone(
                kind,
                Clause(
                    "related IN (SELECT identifier FROM items WHERE id IN"
                        + " (SELECT id FROM temp.removed WHERE kind = 'items'))"))
            _ = try markGone(kind, Clause("pid IN (SELECT name FROM temp.shared WHERE sort = 0)"))
        }
        _ = try markGone(
            .interaction, Clause("grp IN (SELECT name FROM temp.shared WHERE sort = 1)"))
        return try core.deleteGone(leaving: removal)
    }

    /// Under which names of databases rows of each kind are linked to a container.
    private func linkPlaces(
        _ container: String
    ) throws(DonationError) -> [(kind: DonationKind, scope: String?)] {
        var places: [(kind: DonationKind, scope: String?)] = []
        for kind in DonationKind.donations {
            let isUnnamed = try core.isAny(
                "SELECT 1 FROM \(kind.table) WHERE container = ? AND scope IS NULL LIMIT 1",
                .text(container))
            if isUnnamed { places.append((kind, nil)) }
            var last = ""
            while let scope = try core.texts(
                "SELECT scope FROM \(kind.table) WHERE container = ? AND scope > ?"
                    + " ORDER BY scope LIMIT 1", .text(container), .text(last)
            ).first {
                places.append((kind, scope))
                last = scope
            }
        }
        return places
    }

    /// The rows with one name for the database whose link lies inside a part.
    private static func inside(_ part: ContentLink, _ scope: String?) -> Clause {
        var anyScope = part
        anyScope.scope = nil
        return Clause.linked(into: anyScope).and(Clause("scope IS ?", .text(orNull: scope)))
    }

    /// Marks rows as going.
    ///
    /// - Returns: How many were not marked yet.
    func markGone(_ kind: DonationKind, _ clause: Clause) throws(DonationError) -> Int {
        try core.change(
            "INSERT OR IGNORE INTO temp.removed SELECT '\(kind.table)', id FROM \(kind.table)"
                + " WHERE \(clause.sql)", values: clause.values)
        return changes
    }

    /// Notes the values of a column that the rows which go have, and no row that is linked to
    /// anything that stays.
    private func nameShared(
        _ column: String, _ kinds: [DonationKind], as sort: Int64
    ) throws(DonationError) {
        try core.change("DELETE FROM temp.shared WHERE sort = ?", .integer(sort))
        let elsewhere = kinds.map { kind in
            "NOT EXISTS (SELECT 1 FROM \(kind.table) o WHERE o.\(column) = t.\(column)"
                + " AND o.container IS NOT NULL AND o.id NOT IN"
                + " (SELECT id FROM temp.removed WHERE kind = '\(kind.table)'))"
        }.joined(separator: " AND ")
        for kind in kinds {
            try core.change(
                "INSERT OR IGNORE INTO temp.shared SELECT ?, t.\(column) FROM \(kind.table) t"
                    + " WHERE t.id IN (SELECT id FROM temp.removed WHERE kind = '\(kind.table)')"
                    + " AND t.\(column) <> '' AND \(elsewhere)", .integer(sort))
        }
    }

    /// The names of the records that rows are linked to, in the order of their bytes.
    func linkedRecords(
        _ links: [ContentLink], after last: String?, limit: Int
    ) throws(DonationError) -> [String] {
        var names: [String] = []
        var places: [String: [(kind: DonationKind, scope: String?)]] = [:]
        for link in links {
            if places[link.container] == nil {
                places[link.container] = try linkPlaces(link.container)
            }
            for (kind, scope) in places[link.container] ?? []
            where link.scope?.isSame(as: scope) ?? true {
                var zone = link
                zone.record = nil
                let clause = Self.inside(zone, scope)
                names += try core.texts(
                    "SELECT DISTINCT record FROM \(kind.table) WHERE \(clause.sql)"
                        + " AND record > ? ORDER BY record LIMIT ?",
                    values: clause.values + [.text(last ?? ""), .integer(Int64(limit))])
            }
        }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var distinct: [String] = []
        for name in names where !name.isSame(as: distinct.last) { distinct.append(name) }
        return Array(distinct.prefix(limit))
    }
}
