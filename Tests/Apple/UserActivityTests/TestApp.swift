import AsyncOperations
import DonationStore
import Donations
import Foundation
import Testing
import UserActivity

/// An app with a store of its own in memory, a clock to move, and an ear for what is refused.
final class TestApp: Sendable {
    static let type = "com.example.app.reading"

    let store: DonationStore
    private let clock: Locked<Date>
    private let heard = Locked<[UserActivityError]>([])

    init(
        _ configure: (inout DonationConfiguration) -> Void = { _ in }
    ) throws {
        let clock = Locked(Date(timeIntervalSince1970: 1_700_000_000))
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.app", directory: ""
        ) { clock.withLock { $0 } }
        configure(&configuration)
        self.clock = clock
        store = try DonationStore(configuration: configuration)
    }

    /// Runs `body` as code of this app.
    func run<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        try await DonationStore.withStore(store) {
            try await DonationDiagnostics.withHandler(
                { error in self.heard.withLock { $0.append(error) } }, body)
        }
    }

    var now: Date { clock.withLock { $0 } }
    func advance(by seconds: TimeInterval) { clock.withLock { $0 += seconds } }

    /// The refusals and warnings so far, in order.
    func problems() async throws -> [UserActivityError.Code] {
        try await store.flush()
        return heard.withLock { $0.map(\.code) }
    }

    /// What the last refusal or warning names.
    func lastDetail() async throws -> String? {
        try await store.flush()
        return heard.withLock { $0.last?.detail }
    }

    func saved() async throws -> [Donation] { try await store.list(.savedActivity) }
    func events() async throws -> [Donation] { try await store.list(.activity) }

    /// The titles of the saved activities, sorted.
    func titles() async throws -> [String] { try await saved().compactMap(\.title).sorted() }

    func put(item identifier: String, domain: String? = nil) async throws {
        var item = Donation(
            .searchableItem, identifier: identifier, type: "item",
            at: store.configuration.moment)
        item.domain = domain
        _ = try await store.index([(item, .replace)])
    }

    func put(interaction identifier: String) async throws {
        let interaction = Donation(
            .interaction, identifier: identifier, type: "INSendMessageIntent",
            at: store.configuration.moment)
        _ = try await store.donate([interaction])
    }
}

/// What Core Spotlight would put on an activity.
struct Relation: ActivityAttachment {
    var related: String?
    var weaklyRelated: String?
    var domain: String?

    func contribute(to donation: inout Donation) {
        donation.relatedIdentifier = related
        donation.weakRelatedIdentifier = weaklyRelated
        donation.domain = domain
    }
}

/// An activity that is meant to be stored.
func makeActivity(
    _ title: String, persistentIdentifier: String? = nil, related: String? = nil,
    weaklyRelated: String? = nil, domain: String? = nil
) -> NSUserActivity {
    let activity = NSUserActivity(activityType: TestApp.type)
    activity.title = title
    activity.isEligibleForSearch = true
    activity.isEligibleForPrediction = true
    activity.persistentIdentifier = persistentIdentifier
    if related != nil || weaklyRelated != nil || domain != nil {
        activity.attach(
            Relation(related: related, weaklyRelated: weaklyRelated, domain: domain),
            as: Relation.self)
    }
    return activity
}
