import CloudModel

/// What storage is full: whose room has run out, and how much of it was freed since.
///
/// Only those are kept that have a limit; the others have all the room there is. Room is counted in bytes of
/// records and of their assets, from the moment on at which it ran out.
final class Quotas: StorePart {
    /// Whose storage something takes up: a user's, in all containers, or that of an app's public database.
    struct Payer: Hashable {
        /// Empty for an app.
        let user: String
        /// Empty for a user.
        var container = ""
        var environment = ""

        /// Who pays for what is in a database: of a shared zone its owner, whose database it is in.
        init(of key: DatabaseKey) {
            user = key.user
            guard key.address.scope == .public else { return }
            container = key.address.container.rawValue
            environment = key.address.environment.rawValue
        }

        init(user: String, container: String, environment: String) {
            self.user = user
            self.container = container
            self.environment = environment
        }
    }

    private let tables: StoreTables
    /// Bytes that are left; none or fewer: full.
    private var rooms: [Payer: Int64] = [:]

    init(_ tables: StoreTables) { self.tables = tables }

    func reload() throws(CloudError) { rooms = try QuotaTable(tables: tables).all() }

    /// Nothing has a limit.
    var isEmpty: Bool { rooms.isEmpty }

    /// Whether the storage that a database is part of has a limit.
    func isLimited(_ key: DatabaseKey) -> Bool { !isEmpty && rooms[Payer(of: key)] != nil }

    /// Refuses what needs more room than is left; where nothing is left, whatever is to be saved.
    ///
    /// - Parameter bytes: How much more is needed than before.
    func require(_ bytes: Int64, in key: DatabaseKey) throws(CloudError) {
        guard !isEmpty, let room = rooms[Payer(of: key)] else { return }
        guard room > 0, bytes <= room else {
            throw CloudError(
                .quotaExceeded,
                reason: key.address.scope == .public
                    ? "the app's storage is full"
                    : "the iCloud storage of the zone's owner is full", rule: "full-storage")
        }
    }

    /// Takes note that a database has so much more, or less.
    func note(_ bytes: Int64, in key: DatabaseKey) throws(CloudError) {
        guard bytes != 0, !isEmpty, let room = rooms[Payer(of: key)] else { return }
        try set(room - bytes, for: Payer(of: key))
    }

    /// Has storage be full.
    ///
    /// - Returns: Whether there was any room.
    func fill(_ payer: Payer) throws(CloudError) -> Bool {
        let wasFull = rooms[payer].map { $0 <= 0 } ?? false
        try set(0, for: payer)
        return !wasFull
    }

    /// Has storage be without limits again.
    ///
    /// - Returns: Whether it had one.
    func lift(_ payer: Payer) throws(CloudError) -> Bool {
        guard rooms[payer] != nil else { return false }
        try set(nil, for: payer)
        return true
    }

    /// Lifts the limits of those whose data a reset is about.
    func lift(_ scope: ResetScope) throws(CloudError) {
        for payer in rooms.keys {
            let isMeant =
                payer.user.isEmpty
                ? scope.user == nil && scope.scope != .private && scope.scope != .shared
                    && (scope.container?.rawValue ?? payer.container) == payer.container
                    && (scope.environment?.rawValue ?? payer.environment) == payer.environment
                : (scope.user ?? payer.user) == payer.user && scope.scope != .public
            if isMeant { _ = try lift(payer) }
        }
    }

    private func set(_ room: Int64?, for payer: Payer) throws(CloudError) {
        try tables.beginIfNeeded()
        try QuotaTable(tables: tables).put(room, of: payer)
        rooms[payer] = room
    }
}
