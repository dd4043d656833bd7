import CloudModel

/// How far each device has been told of the feeds that it follows, by the last answer it got of each.
struct FeedPositions {
    /// Feeds of devices that are remembered; of more than this the one longest not asked for is forgotten.
    static let countMax = 500

    /// One device and one feed.
    struct Key: Hashable {
        let user: String
        /// nil: no device of its own, as in a browser.
        let device: String?
        let address: Database.Address
        /// nil: the database's own feed.
        let zoneID: RecordZone.ID?
    }

    /// Where it stands.
    struct Position {
        /// It has been told of everything up to here.
        let place: Int64
        /// Whether the answer said that more is coming.
        let hasMore: Bool
        let time: Timestamp
    }

    private(set) var all: [Key: Position] = [:]

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
        _ token: ChangeToken, _ kind: FeedToken.Kind, _ hasMore: Bool, _ key: Key, _ now: Timestamp
    ) {
        // Tokens that a fault made stand for no place of their own.
        guard let place = try? FeedToken(token.rawValue, kind: kind).sequence else { return }
        if all.count >= Self.countMax, all[key] == nil,
            let oldest = all.min(by: { $0.value.time < $1.value.time })
        {
            all[oldest.key] = nil
        }
        all[key] = Position(place: place, hasMore: hasMore, time: now)
    }
}
