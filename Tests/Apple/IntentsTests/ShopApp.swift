import AsyncOperations
import DonationStore
import Donations
import Foundation
import Intents

/// An app with a store of its own in memory and a clock to move.
final class ShopApp: Sendable {
    let store: DonationStore
    private let clock: Locked<Date>

    init(
        directory: String = "", _ configure: (inout DonationConfiguration) -> Void = { _ in }
    ) throws {
        let clock = Locked(Date(timeIntervalSince1970: 1_700_000_000))
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.shop", directory: directory
        ) { clock.withLock { $0 } }
        configure(&configuration)
        self.clock = clock
        store = try DonationStore(configuration: configuration)
    }

    /// Runs `body` as code of this app.
    func run<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await DonationStore.withStore(store, body)
    }

    var now: Date { clock.withLock { $0 } }
    func advance(by seconds: TimeInterval) { clock.withLock { $0 += seconds } }

    func interactions() async throws -> [Donation] { try await store.list(.interaction) }

    /// The identifiers of the stored interactions, sorted.
    func identifiers() async throws -> [String] {
        try await interactions().map(\.identifier).sorted()
    }

    func count(_ kind: DonationKind) async throws -> Int { try await store.counts()[kind] ?? 0 }

    func outcomes() async throws -> [DonationOutcome] {
        try await store.flush()
        return try await store.outcomes(limit: 1000).compactMap(\.outcome)
    }

    /// An item of the index and an activity that is not related to any.
    func putItemAndActivity() async throws {
        let at = store.configuration.moment
        _ = try await store.index([
            (Donation(.searchableItem, identifier: "item", type: "item", at: at), .replace)
        ])
        var activity = Donation(.activity, type: "com.example.shop.view", at: at)
        activity.persistentIdentifier = "item"
        activity.savedKey = "item"
        activity.eligibility = .prediction
        _ = try await store.donateActivity(activity)
    }
}

extension DonationReceipt {
    /// What went: how many rows of each kind.
    var gone: [DonationKind: Int] {
        counts.reduce(into: [:]) { $0[$1.kind, default: 0] += $1.rows }
    }
}

/// A message to somebody, donated under a name and in a group.
func message(
    _ identifier: String, group: String? = nil, to name: String = "Ada", text: String = "Hello"
) -> INInteraction {
    let person = INPerson(
        personHandle: INPersonHandle(value: "\(name)@example.com", type: .emailAddress),
        nameComponents: nil, displayName: name, image: nil, contactIdentifier: nil,
        customIdentifier: "person-\(name)")
    let intent = INSendMessageIntent(
        recipients: [person], outgoingMessageType: .outgoingMessageText, content: text,
        speakableGroupName: nil, conversationIdentifier: "chat-\(name)", serviceName: nil,
        sender: nil, attachments: nil)
    let interaction = INInteraction(
        intent: intent, response: INSendMessageIntentResponse(code: .success, userActivity: nil))
    interaction.identifier = identifier
    interaction.groupIdentifier = group
    interaction.direction = .outgoing
    return interaction
}
