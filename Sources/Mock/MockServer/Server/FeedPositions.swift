import Basics
import CloudModel

/// How far each device has been told of the feeds that it follows, by the last answer it got of each.
struct FeedPositions {
    /// Feeds of devices that are remembered; one more, and those longest not asked for are forgotten.
    static let countMax = 500
    /// So many at once, as finding them means looking at all.
    private static let forgottenAtOnce = 100

    /// One device and one feed.
    struct Key: Hashable {
        let user: String
        /// nil: no device of its own, as in a browser.
        let device: String?
        let address: Database.Address
        /// nil: the database's own feed.
        let zoneID: RecordZone.ID?

        var database: DatabaseKey { DatabaseKey(address: address, user: user) }
    }

    /// Where it stands.
    struct Position {
        /// What the answer gave it to go on from; the feed may not serve it any more.
        let token: FeedToken
        /// Whether the answer said that more is coming.
        let hasMore: Bool
        let time: Timestamp
        /// Greater than that of any answer before, whatever the clock says.
        let number: UInt64

        /// It has been told of everything up to here; of nothing for sure while the newest comes first.
        var place: Int64 { token.isReverse ? 0 : token.sequence }
    }

    private(set) var all: [Key: Position] = [:]
    private var answers: UInt64 = 0
    /// What the open turn has changed, as it was before.
    private var before: [Key: Position?] = [:]

    /// Takes note of what an answer tells a device of.
    mutating func note(
        _ reply: CloudReply, to command: CloudCommand, at address: Database.Address,
        of caller: Caller, now: Timestamp
    ) {
        guard case .user(let user, let device) = caller else { return }
        switch (command, reply) {
        case (.read(.databaseChanges), .zonePage(let page)),
            (.read(.zoneListChanges), .zonePage(let page)):
            guard let token = page.token else { return }
            note(
                token, .database, page.moreComing,
                Key(user: user, device: device, address: address, zoneID: nil), now)
        case (.read(.zoneChanges), .zoneChanges(let items)):
            for case .page(let page) in items {
                note(
                    page.token, .zone, page.moreComing,
                    Key(user: user, device: device, address: address, zoneID: page.zoneID), now)
            }
        default: break
        }
    }

    private mutating func note(
        _ text: ChangeToken, _ kind: FeedToken.Kind, _ hasMore: Bool, _ key: Key, _ now: Timestamp
    ) {
        let token: FeedToken
        do throws(CloudError) {
            token = try FeedToken(text.rawValue, kind: kind)
        } catch {
            // Tokens that a fault made stand for no place of their own.
            return
        }
        if all.count >= Self.countMax, all[key] == nil {
            let oldest = all.sorted { $0.value.number < $1.value.number }
            for (key, _) in oldest.prefix(Self.forgottenAtOnce) { set(nil, of: key) }
        }
        answers += 1
        set(Position(token: token, hasMore: hasMore, time: now, number: answers), of: key)
    }

    /// Forgets where devices stand in feeds that are emptied, or that are not what they were.
    mutating func forget(_ scope: ResetScope = ResetScope()) {
        for key in all.keys where scope.covers(key.database) {
            guard scope.zoneName == nil || scope.zoneName == key.zoneID?.zoneName else { continue }
            set(nil, of: key)
        }
    }

    private mutating func set(_ position: Position?, of key: Key) {
        if before[key] == nil { before.updateValue(all[key], forKey: key) }
        all[key] = position
    }

    // MARK: - The turn

    mutating func turnWasStored() {
        if !before.isEmpty { before.removeAll(keepingCapacity: true) }
    }

    mutating func turnWasUndone() {
        for (key, position) in before { all[key] = position }
        before.removeAll()
    }
}
