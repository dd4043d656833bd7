import Basics
import Donations

/// Makes the steps of a random history, from few names so that they meet.
struct RandomHistory {
    /// One step.
    enum Step {
        case donate(Donation)
        case activity(Donation)
        case index(Donation)
        case delete(DonationSelector)
        case wait(Duration)
        case crash
    }

    private var generator: SeededGenerator
    private var serial = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int(generator.next() % UInt64(values.count))]
    }

    /// The first steps only store something, so that deletions find what they mean.
    mutating func step(_ number: Int, at now: Timestamp) -> Step {
        switch generator.next() % (number < 3 ? 11 : 20) {
        case 0..<4: .donate(interaction(at: now))
        case 4: .donate(record(at: now))
        case 5..<8: .activity(activity(at: now))
        case 8..<11: .index(item(at: now))
        case 11: .wait(.seconds(pick([1, 50, 31 * 86_400])))
        case 12: .crash
        case let number: .delete(selector(at: now, isWide: number > 17))
        }
    }

    private mutating func new(
        _ kind: DonationKind, _ identifier: String, type: String, at now: Timestamp
    ) -> Donation {
        serial += 1
        var row = Donation(kind, identifier: identifier, type: type, at: now)
        row.actionID = "#\(serial)"
        if pick([true, false, false]) {
            row.link = ContentLink(
                container: "iCloud.app", scope: "private", zone: pick(["z1", "z2"]),
                record: pick([nil, "r1"]))
        }
        if pick([true, false, false, false]) {
            row.expiration = now.advanced(by: .seconds(pick([-5, 20, 1000])))
        }
        return row
    }

    private mutating func interaction(at now: Timestamp) -> Donation {
        var row = new(
            .interaction, pick(["i1", "i2", "i3", "p1"]), type: pick(["T", "U"]), at: now)
        row.group = pick([nil, "g1", "g2", "i1"])
        row.isFromSiri = pick([true, false, false])
        row.begin = pick([now, now.advanced(by: .seconds(-100))])
        if pick([true, false, false]) {
            row.nestedActivity = .init(
                activityType: "t", persistentIdentifier: pick([nil, "p1", "p2"]), payload: [0])
        }
        return row
    }

    private mutating func record(at now: Timestamp) -> Donation {
        var row = new(.appIntent, pick(["i1", "i2"]), type: pick(["T", "U"]), at: now)
        row.entityType = "E"
        row.entityIdentifier = pick([nil, "e1", "e2"])
        return row
    }

    private mutating func activity(at now: Timestamp) -> Donation {
        var row = new(.activity, "", type: pick(["t", "u"]), at: now)
        row.persistentIdentifier = pick([nil, "p1", "p2", "p3"])
        row.relatedIdentifier = pick([nil, "x1", "x2", "x3"])
        row.weakRelatedIdentifier = pick([nil, "x1"])
        row.domain = pick([nil, "a", "a.b", "ab"])
        return row
    }

    private mutating func item(at now: Timestamp) -> Donation {
        var row = new(.searchableItem, pick(["x1", "x2", "x3"]), type: "text", at: now)
        row.domain = pick([nil, "a", "a.b", "a.b.c", "ab", "a-b"])
        row.indexName = pick([nil, nil, "n"])
        row.entityType = pick([nil, "E"])
        row.entityIdentifier = row.entityType == nil ? nil : pick(["e1", "e2"])
        row.title = pick([nil, "soup of the day", "salad"])
        return row
    }

    private mutating func selector(at now: Timestamp, isWide: Bool) -> DonationSelector {
        let index: String? = pick([nil, nil, "n", "m"])
        let moment = now.milliseconds
        if isWide {
            return pick([
                .everything, .allInteractions, .allActivities,
                .allSearchableItems(indexName: index),
                .linked(ContentLink(container: "iCloud.app")),
                .donated(
                    fromMilliseconds: moment - 60_000, untilMilliseconds: moment + 1,
                    includingItems: pick([true, false])),
                .appEntities(type: "E", identifiers: nil), .allSearchableItems(indexName: "n"),
            ])
        }
        return pick([
            .interactions(identifiers: pick([["i1"], ["i2", "p1", "none"], []])),
            .interactionGroup(pick(["g1", "g2", "i1", ""])),
            .activities(persistentIdentifiers: pick([["p1"], ["p2", "p3"], [""]])),
            .searchableItems(identifiers: pick([["x1"], ["x2", "x3"], ["e1"]]), indexName: index),
            .searchableDomains(
                pick([["a"], ["a.b", "ab"], ["b"], ["a.b", "a"]]), indexName: index),
            .appIntents(identifiers: ["i1"]),
            .appIntentType("T", entityIdentifier: pick([nil, "e1"])),
            .appEntities(type: "E", identifiers: pick([["e1"], []])),
            .activityType("t"), .intentClass("U"), .expired(atMilliseconds: moment),
            .linked(
                ContentLink(
                    container: "iCloud.app", scope: "private", zone: pick(["z1", "z2"]),
                    record: pick([nil, "r1"]))),
        ])
    }
}
