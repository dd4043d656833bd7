import Basics
import DonationStore
import DonationSync
import Donations
import Foundation
import Testing

/// After everything was erased, no file of the store has a word of the user's.
struct EraseTests {
    private static let secret = "anna-9c1f"

    private static func configuration(_ folder: TemporaryFolder) -> DonationConfiguration {
        DonationConfiguration(
            bundleIdentifier: "com.example.app", directory: folder.path,
            clock: TestClock().clock)
    }

    /// A store whose device takes part in an exchange, or has only switched it on.
    private static func store(
        _ configuration: DonationConfiguration, isJoined: Bool
    ) async throws -> DonationStore {
        let store = try DonationStore(configuration: configuration)
        try await store.sync { sync throws(DonationError) in
            try Exchange.setOn(true, &sync)
            guard isJoined else { return }
            var facts = try sync.exchange()
            facts.device = "0123456789abcdef0123456789abcdef"
            facts.incarnation = "zone"
            facts.zoneKey = [1, 2, 3]
            try sync.setExchange(facts)
        }
        return store
    }

    /// The names of files in which the bytes are.
    private static func files(in folder: TemporaryFolder, with word: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            let path = folder.path + "/" + name
            guard let data = FileManager.default.contents(atPath: path) else { return false }
            return data.range(of: Data(word.utf8)) != nil
        }.sorted()
    }

    @Test(
        arguments: [true, false], [DeletionScope.thisDevice, .everywhere])
    func `deletions that wait to be sent keep no word`(
        isJoined: Bool, scope: DeletionScope
    ) async throws {
        let folder = TemporaryFolder()
        let configuration = Self.configuration(folder)
        let store = try await Self.store(configuration, isJoined: isJoined)
        _ = try await store.donate([
            Donation(
                .interaction, identifier: Self.secret, type: "T", at: Timestamp(milliseconds: 5))
        ])
        try await store.delete(.interactions(identifiers: [Self.secret]), scope: .everywhere)
        try await store.delete(
            .searchableDomains(["x." + Self.secret], indexName: "i"), scope: .everywhere)
        try await store.delete(.allActivities, scope: .everywhere)
        let before = try await Self.sent(store)
        try await store.eraseEverything(scope: scope)
        let after = try await Self.sent(store)
        await store.flushAndClose()
        #expect(try Self.files(in: folder, with: Self.secret) == [])
        let everything: [SyncDeletion.Told] =
            scope == .everywhere ? [.init(kind: "everything", keys: [])] : []
        if isJoined {
            // The zone is told the same as it would have been.
            #expect(after == before + everything)
        } else {
            // Nothing can be told of names without the zone's key.
            #expect(after == [.init(kind: "allActivities", keys: [])] + everything)
        }
        let again = try DonationStore(configuration: configuration)
        #expect(try await Self.sent(again) == after)
        let numbers = try await again.syncState { sync throws(DonationError) in
            (
                try sync.ownDeletions(limit: 9).map(\.sequence), try sync.exchange().sequence
            )
        }
        #expect(numbers.0 == Array(1...Int64(after.count)) && numbers.1 == Int64(after.count))
        await again.flushAndClose()
    }

    @Test func `a row that arrives is covered by a deletion whose words were erased`()
        async throws
    {
        let folder = TemporaryFolder()
        let store = try await Self.store(Self.configuration(folder), isJoined: true)
        try await store.delete(.interactions(identifiers: [Self.secret]), scope: .everywhere)
        try await store.eraseEverything()
        let row = Donation(
            .interaction, identifier: Self.secret, type: "T", at: Timestamp(milliseconds: 5))
        let other = Donation(
            .interaction, identifier: "other", type: "T", at: Timestamp(milliseconds: 5))
        let covered = try await store.syncState { sync throws(DonationError) in
            let knowledge = try Exchange.knowledge(sync, digest: .hmac)
            return [row, other].map { knowledge.covers($0, seen: [:], item: nil) }
        }
        #expect(covered == [true, false])
        await store.flushAndClose()
    }

    @Test func `a receipt that is redacted has no word of the caller's`() async throws {
        let store = try memoryStore()
        let (s, link) = (
            Self.secret,
            ContentLink(
                container: "iCloud.app", zone: Self.secret, zoneOwner: Self.secret,
                record: Self.secret)
        )
        let selectors: [DonationSelector] = [
            .interactions(identifiers: [s]), .interactionGroup(s),
            .activities(persistentIdentifiers: [s]),
            .searchableItems(identifiers: [s], indexName: "i"),
            .searchableDomains([s], indexName: nil), .appIntents(identifiers: [s]),
            .appIntentsAbout(entityType: "T", entityIdentifier: s),
            .appIntentType("T", entityIdentifier: s), .appEntities(type: "T", identifiers: [s]),
            .linked(link), .everything,
        ]
        for selector in selectors {
            let receipt = store.redacted(try await store.delete(selector))
            let text = String(decoding: try JSONEncoder().encode(receipt), as: UTF8.self)
            #expect(!text.contains(s), "\(selector.kind)")
            #expect(receipt.selector.kind == selector.kind)
        }
        _ = try await store.donate([
            Donation(.interaction, identifier: s, type: "T", at: Timestamp(milliseconds: 5))
        ])
        let receipt = try await store.delete(.interactions(identifiers: [s]))
        let digest = try #require(receipt.removed.first?.identifierDigest)
        #expect(store.redacted(receipt).selector == .interactions(identifiers: [digest]))
    }

    /// What the zone is told of the deletions that wait.
    private static func sent(_ store: DonationStore) async throws -> [SyncDeletion.Told] {
        try await store.syncState { sync throws(DonationError) in
            let keys = ExchangeKeys(key: try sync.exchange().zoneKey ?? [], digest: .hmac)
            return try sync.ownDeletions(limit: 99).compactMap {
                SyncDeletion($0, device: "d", keys).map { .init(kind: $0.kind, keys: $0.keys) }
            }
        }
    }
}

extension SyncDeletion {
    fileprivate struct Told: Equatable {
        let kind: String
        let keys: [String]
    }
}
