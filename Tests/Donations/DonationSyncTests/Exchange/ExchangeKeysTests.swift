import Basics
import DonationSync
import Donations
import Testing

/// What digests say of a row is what the plain words say.
struct ExchangeKeysTests {
    private static let keys = ExchangeKeys(key: [1, 2, 3], digest: .cheap)

    @Test(arguments: UInt64(1)...6)
    func `digests match exactly where plain words match`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var matched = 0
        for _ in 0..<400 {
            let row = Self.row(&random)
            let item = Bool.random(using: &random) ? Self.item(for: row, &random) : nil
            let selector = Self.selector(&random)
            let knowledge = Self.knowledge(selector)
            let plain = selector.matches(row, .init(relatedItem: item)) != nil
            let digested = knowledge.covers(row, seen: [:], item: item)
            #expect(plain == digested, "seed \(seed): \(selector) of \(row) beside \(item as Any)")
            #expect(
                selector.scrubs(row) == knowledge.scrubs(row, seen: [:]),
                "seed \(seed): \(selector) of \(row)")
            matched += plain ? 1 : 0
        }
        #expect(matched > 20, "seed \(seed): hardly anything matched")
    }

    @Test func `a deletion that the row's maker had seen does not cover it`() {
        let knowledge = Self.knowledge(.everything)
        let row = Donation.interaction("a")
        #expect(knowledge.covers(row, seen: [:], item: nil))
        #expect(knowledge.covers(row, seen: ["aa": 6], item: nil))
        #expect(!knowledge.covers(row, seen: ["aa": 7], item: nil))
        #expect(knowledge.covers(row, seen: ["ab": 7], item: nil), "another device's number")
    }

    @Test func `what ends and begins differently has another digest`() {
        let keys = Self.keys
        #expect(keys(.entity, "ab", "c") != keys(.entity, "a", "bc"))
        #expect(keys(.entity, "a", nil) != keys(.entity, "a", ""))
        #expect(keys(.group, "a") != keys(.item, "a"))
        #expect(keys.domains("a.b") == [keys.domain("a"), keys.domain("a.b")])
        #expect(keys.domains("a.").count == 2)
        #expect(keys.domain("") == nil)
        let other = ExchangeKeys(key: [1, 2, 4], digest: .cheap)
        #expect(keys(.group, "a") != other(.group, "a"))
    }

    @Test(arguments: [
        DonationSelector.interactions(identifiers: ["", ""]), .interactionGroup(""),
        .activityType(""), .appEntities(type: "", identifiers: nil),
        .appIntentsAbout(entityType: "T", entityIdentifier: ""),
        .expired(atMilliseconds: 5), .list(.vocabulary, scope: nil),
    ])
    func `what means nothing elsewhere does not travel`(selector: DonationSelector) {
        #expect(ExchangeSelector(selector, Self.keys) == nil)
    }

    private static func knowledge(_ selector: DonationSelector) -> ExchangeKnowledge {
        guard let digested = ExchangeSelector(selector, keys) else {
            return ExchangeKnowledge([], own: [], keys)
        }
        var deletion = SyncDeletion(
            device: "aa", sequence: 7, kind: digested.kind.rawValue, keys: digested.keys,
            at: Timestamp(milliseconds: 0))
        deletion.indexKey = digested.indexKey
        deletion.from = digested.from
        deletion.until = digested.until
        return ExchangeKnowledge([deletion], own: [], keys)
    }

    // MARK: Random rows and selectors

    private static let names = ["", "a", "b", "e\u{301}", "\u{E9}", "a.b"]
    private static let domains = ["a", "a.b", "ab", "a.", ".a", "a..b", "", "a.b.c", "e\u{301}.x"]

    private static func name(_ random: inout SeededGenerator) -> String {
        names[Int(random.next() % UInt64(names.count))]
    }

    private static func maybe(_ random: inout SeededGenerator) -> String? {
        random.next() % 3 == 0 ? nil : name(&random)
    }

    private static func domain(_ random: inout SeededGenerator) -> String {
        domains[Int(random.next() % UInt64(domains.count))]
    }

    private static func link(_ random: inout SeededGenerator) -> ContentLink {
        ContentLink(
            container: name(&random), scope: maybe(&random), zone: maybe(&random),
            zoneOwner: maybe(&random), record: maybe(&random))
    }

    private static func row(_ random: inout SeededGenerator) -> Donation {
        let kinds = DonationKind.donations
        var row = Donation(
            kinds[Int(random.next() % UInt64(kinds.count))], identifier: name(&random),
            type: name(&random), at: Timestamp(milliseconds: Int64(random.next() % 10)))
        row.begin = Timestamp(milliseconds: Int64(random.next() % 10))
        row.group = maybe(&random)
        row.persistentIdentifier = maybe(&random)
        row.relatedIdentifier = maybe(&random)
        row.domain = Bool.random(using: &random) ? domain(&random) : nil
        row.indexName = maybe(&random)
        row.entityType = maybe(&random)
        row.entityIdentifier = maybe(&random)
        row.isFromSiri = random.next() % 4 == 0
        row.link = Bool.random(using: &random) ? link(&random) : nil
        if Bool.random(using: &random) {
            row.nestedActivity = .init(
                activityType: "t", persistentIdentifier: maybe(&random), payload: [])
        }
        return row
    }

    private static func item(
        for row: Donation, _ random: inout SeededGenerator
    ) -> Donation? {
        guard row.kind == .activity || row.kind == .savedActivity,
            let name = row.relatedIdentifier
        else { return nil }
        var item = Self.row(&random)
        item.kind = .searchableItem
        item.identifier = name
        return item
    }

    private static func selector(_ random: inout SeededGenerator) -> DonationSelector {
        let names = (0..<random.next() % 3).map { _ in name(&random) }
        switch random.next() % 17 {
        case 0: return .interactions(identifiers: names)
        case 1: return .interactionGroup(name(&random))
        case 2: return .allInteractions
        case 3: return .activities(persistentIdentifiers: names)
        case 4: return .allActivities
        case 5: return .searchableItems(identifiers: names, indexName: maybe(&random))
        case 6:
            let domains = (0..<random.next() % 3).map { _ in domain(&random) }
            return .searchableDomains(domains, indexName: maybe(&random))
        case 7: return .allSearchableItems(indexName: maybe(&random))
        case 8: return .appIntents(identifiers: names)
        case 9:
            return .appIntentsAbout(
                entityType: name(&random), entityIdentifier: name(&random))
        case 10: return .appIntentType(name(&random), entityIdentifier: maybe(&random))
        case 11:
            let all = Bool.random(using: &random)
            return .appEntities(type: name(&random), identifiers: all ? nil : names)
        case 12: return .activityType(name(&random))
        case 13: return .intentClass(name(&random))
        case 14:
            return .donated(
                fromMilliseconds: Int64(random.next() % 10),
                untilMilliseconds: Int64(random.next() % 12),
                includingItems: Bool.random(using: &random))
        case 15: return .linked(link(&random))
        default: return .everything
        }
    }
}
