import AsyncOperations
import Basics
import CoreSpotlight
import DonationStore
import Donations
import Foundation

/// A folder for one test, gone with it.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("spotlight-\(UUID().uuidString)").path

    /// More than once: a store that is being closed removes files of its own meanwhile, and the
    /// first to find one gone gives up.
    deinit {
        for _ in 0..<100 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}

/// A store of its own for one test, as the current one, with a clock to turn.
struct Spotlight: Sendable {
    let store: DonationStore
    let clock: Locked<Date>

    /// Runs a test in a store in memory, or in one of a folder.
    static func run<Result: Sendable>(
        directory: String = "", _ body: (Spotlight) async throws -> Result
    ) async throws -> Result {
        let clock = Locked(Date(timeIntervalSince1970: 1_000_000))
        let store = try DonationStore(
            configuration: DonationConfiguration(
                bundleIdentifier: "com.example.soup", directory: directory,
                now: { clock.withLock { $0 } }))
        return try await DonationStore.withStore(store) {
            try await body(Spotlight(store: store, clock: clock))
        }
    }

    func advance(days: Double) {
        clock.withLock { $0.addTimeInterval(days * 86_400) }
    }

    // MARK: What an app would write

    static func item(
        _ identifier: String, domain: String? = nil, title: String? = nil
    ) -> CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = title ?? identifier
        return CSSearchableItem(
            uniqueIdentifier: identifier, domainIdentifier: domain, attributeSet: attributes)
    }

    /// Makes an activity current, with relations of its attribute set.
    func view(
        _ name: String?, related: String? = nil, weak: String? = nil, domain: String? = nil
    ) async throws {
        let activity = NSUserActivity(activityType: "com.example.soup.view")
        activity.title = name ?? "unnamed"
        activity.isEligibleForSearch = true
        activity.isEligibleForPrediction = true
        activity.persistentIdentifier = name
        let attributes = CSSearchableItemAttributeSet(itemContentType: "public.content")
        attributes.relatedUniqueIdentifier = related
        attributes.weakRelatedUniqueIdentifier = weak
        attributes.domainIdentifier = domain
        activity.contentAttributeSet = attributes
        activity.becomeCurrent()
        try await store.flush()
    }

    /// Stores an interaction.
    func interact(_ identifier: String, bySiri: Bool = false) async throws {
        var row = Donation(
            .interaction, identifier: identifier, type: "OrderSoupIntent",
            at: Timestamp(milliseconds: 0))
        row.isFromSiri = bySiri
        _ = try await store.donate([row])
    }

    // MARK: What is left

    func items() async throws -> [String] {
        try await store.list(.searchableItem).map(\.identifier).sorted()
    }
    func activities() async throws -> [String] {
        try await store.list(.savedActivity).map { $0.persistentIdentifier ?? "unnamed" }.sorted()
    }
    func events() async throws -> Int { try await store.counts()[.activity] ?? 0 }
    func interactions() async throws -> [String] {
        try await store.list(.interaction).map(\.identifier).sorted()
    }
}
