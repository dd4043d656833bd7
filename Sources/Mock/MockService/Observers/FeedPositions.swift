package import Basics
package import CloudModel
package import MockStore

/// How far each device has read the feeds that it follows: the last response it received of each.
package struct FeedPositions {
    /// Feeds of devices that are remembered; beyond that, those that were read longest ago are forgotten.
    static let countMax = 500
    /// How many are forgotten at once: finding the oldest means looking at all.
    private static let forgottenAtOnce = 100

    /// One device and one feed.
    package struct Key: Hashable {
        package let user: String
        /// nil: no device of its own, as in a browser.
        package let device: String?
        let address: Database.Address
        /// nil: the database's own feed.
        package let zoneID: RecordZone.ID?

        package var database: DatabaseKey { DatabaseKey(address: address, user: user) }
    }

    /// Where it stands.
    package struct Position {
        /// The change token of the response; the feed may not accept it any more.
        package let token: FeedToken
        /// Whether the response said that more is coming.
        package let hasMore: Bool
        package let time: Timestamp
        /// Greater than that of any response before, whatever the clock says.
        package let number: UInt64

        /// It has read everything up to here; nothing for certain while the newest comes first.
        package var place: Int64 { token.isReverse ? 0 : token.sequence }
    }

    /// One page of a feed that a device received.
    package struct Read {
        let key: Key
        let token: FeedToken
        let hasMore: Bool
        let time: Timestamp
    }

    package private(set) var all: [Key: Position] = [:]
    private var answers: UInt64 = 0

    /// The pages of feeds that a response contains; none if the client does not receive it.
    static func reads(in record: ExchangeRecord) -> [Read] {
        guard !record.isLost, record.failure == nil, let command = record.command,
            let reply = record.reply, let address = record.address,
            case .user(let user, let device) = record.caller
        else { return [] }
        var reads: [Read] = []
        func add(
            _ text: ChangeToken, _ kind: FeedToken.Kind, _ hasMore: Bool, _ zone: RecordZone.ID?
        ) {
            let key = Key(user: user, device: device, address: address, zoneID: zone)
            do throws(CloudError) {
                reads.append(
                    Read(
                        key: key, token: try FeedToken(text.rawValue, kind: kind),
                        hasMore: hasMore, time: record.entry.time))
            } catch {
                // Tokens that a fault made have no position of their own.
            }
        }
        switch (command, reply) {
        case (.read(.databaseChanges), .zonePage(let page)),
            (.read(.zoneListChanges), .zonePage(let page)):
            if let token = page.token { add(token, .database, page.moreComing, nil) }
        case (.read(.zoneChanges), .zoneChanges(let items)):
            for case .page(let page) in items {
                add(page.token, .zone, page.moreComing, page.zoneID)
            }
        default: break
        }
        return reads
    }

    mutating func note(_ read: Read) {
        if all.count >= Self.countMax, all[read.key] == nil {
            let oldest = all.sorted { $0.value.number < $1.value.number }
            for (key, _) in oldest.prefix(Self.forgottenAtOnce) { all[key] = nil }
        }
        answers += 1
        all[read.key] = Position(
            token: read.token, hasMore: read.hasMore, time: read.time, number: answers)
    }

    /// Forgets positions in feeds that are emptied or replaced.
    mutating func forget(_ scope: ResetScope = ResetScope()) {
        for key in all.keys where scope.covers(key.database) {
            guard scope.zoneName == nil || scope.zoneName == key.zoneID?.zoneName else { continue }
            all[key] = nil
        }
    }
}
