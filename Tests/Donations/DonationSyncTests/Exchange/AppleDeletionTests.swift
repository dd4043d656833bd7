import CoreSpotlight
import DonationStore
import DonationSync
import Donations
import Foundation
import Intents
import Testing
import UserActivity

/// What an app deletes through Apple's names is deleted on all of the person's devices.
struct AppleDeletionTests {
    /// Each of Apple's calls that deletes donations.
    enum Call: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case interactionsByIdentifier, interactionsByGroup, allInteractions
        case activitiesByIdentifier, allActivities
        case itemsByIdentifier, itemsInBatch, itemsByDomain, allItems
        case entities, entitiesOfType
        case appIntents

        var testDescription: String { rawValue }

        func delete() async throws {
            let index = CSSearchableIndex(name: "notes")
            switch self {
            case .interactionsByIdentifier: try await INInteraction.delete(with: ["a"])
            case .interactionsByGroup: try await INInteraction.delete(with: "ann")
            case .allInteractions: try await INInteraction.deleteAll()
            case .activitiesByIdentifier:
                await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"])
            case .allActivities: await NSUserActivity.deleteAllSavedUserActivities()
            case .itemsByIdentifier:
                try await index.deleteSearchableItems(withIdentifiers: ["a"])
            case .itemsInBatch:
                index.beginBatch()
                try await index.deleteSearchableItems(withIdentifiers: ["a"])
                try await index.endBatch(withClientState: Data())
            case .itemsByDomain:
                try await index.deleteSearchableItems(withDomainIdentifiers: ["ann"])
            case .allItems: try await index.deleteAllSearchableItems()
            case .entities:
                try await index.deleteAppEntities(identifiedBy: ["a"], ofType: Contact.self)
            case .entitiesOfType: try await index.deleteAppEntities(ofType: Contact.self)
            case .appIntents:
                try await IntentDonationManager.shared.deleteDonations(
                    matching: .intentType(CallContact.self))
            }
        }
    }

    /// What the tablet did between the deletion and hearing of it.
    enum Meanwhile: String, CaseIterable, Sendable {
        case nothing
        /// It donated all of it again, and was offline.
        case changed
        /// It donated all of it again, and could send it before the phone could.
        case uploaded
    }

    struct Contact: IndexedEntity {
        let id: String
    }

    struct CallContact: AppIntent {
        static let title: LocalizedStringResource = "Call"
        func perform() async throws -> some IntentResult { .result() }
    }

    /// Donates about two contacts; everything that a call can mean, and something else.
    private func donate(on device: StoredDevice) async throws {
        let store = device.store
        device.world.pass(.seconds(1))
        for (name, group) in [("a", "ann"), ("b", "bob")] {
            _ = try await store.donate([.interaction(name, group: group)])
            _ = try await store.donateActivity(.activity(name, title: name))
            var item = Donation.item(name, domain: group + ".notes")
            item.indexName = "notes"
            _ = try await store.index([(item, .replace)])
        }
        try await device.run {
            try await CSSearchableIndex(name: "notes").indexAppEntities([
                Contact(id: "a"), Contact(id: "b"),
            ])
        }
    }

    /// Two devices that have the same donations.
    private func pair() async throws -> (ExchangeWorld, StoredDevice, StoredDevice) {
        let world = try ExchangeWorld()
        let phone = try await StoredDevice(world, seed: 1)
        let tablet = try await StoredDevice(world, seed: 2)
        try await donate(on: phone)
        _ = try await phone.run { try await CallContact().donate() }
        try await settle(phone, tablet)
        #expect(try await tablet.rows() == phone.rows())
        return (world, phone, tablet)
    }

    private func settle(_ devices: StoredDevice...) async throws {
        for _ in 0..<3 { for device in devices { try await device.sync() } }
    }

    @Test(arguments: Call.allCases, Meanwhile.allCases)
    func `what Apple's calls delete is deleted on all devices, and does not come back`(
        call: Call, meanwhile: Meanwhile
    ) async throws {
        let (world, phone, tablet) = try await pair()
        let before = try await phone.rows()
        try await phone.run { try await call.delete() }
        let left = try await phone.rows()
        #expect(left.count < before.count)
        if meanwhile != .nothing { try await donate(on: tablet) }
        if meanwhile == .uploaded { try await tablet.sync() }
        try await settle(phone, tablet)
        try world.forgetHistory()
        try await settle(tablet, phone)
        // Donated again, an activity has two events; a call that means other rows leaves both.
        #expect(try await Set(phone.rows()) == Set(left))
        #expect(try await tablet.rows() == phone.rows())
        #expect(try await world.donationCount == phone.rows().count)
    }

    @Test func `what is donated again after the deletion was seen is on all devices`() async throws
    {
        let (_, phone, tablet) = try await pair()
        let before = try await phone.rows()
        try await phone.run {
            try await INInteraction.deleteAll()
            await NSUserActivity.deleteAllSavedUserActivities()
            try await CSSearchableIndex.default().deleteAllSearchableItems()
        }
        try await settle(phone, tablet)
        #expect(try await tablet.rows().count == 1, "the action's donation")
        try await donate(on: tablet)
        try await settle(tablet, phone)
        #expect(try await phone.rows() == before)
        #expect(try await tablet.rows() == before)
    }

    @Test func `a deletion made while the exchange is switched off is sent all the same`()
        async throws
    {
        let (world, phone, tablet) = try await pair()
        try await phone.switchExchange(false)
        try await phone.run { try await INInteraction.deleteAll() }
        try await settle(phone, tablet)
        #expect(try await tablet.rows() == phone.rows())
        try await phone.switchExchange(true)
        try await settle(phone, tablet)
        #expect(try await tablet.rows() == phone.rows())
        #expect(try await world.donationCount == phone.rows().count)
    }

    @Test func `I9 a deletion that completed is sent though the process ended at once`()
        async throws
    {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("apple-\(UUID().uuidString)")
            .path
        defer {
            for path in [folder, folder + "-after"] { try? files.removeItem(atPath: path) }
        }
        let world = try ExchangeWorld()
        let phone = try await StoredDevice(world, seed: 1, folder: folder)
        let tablet = try await StoredDevice(world, seed: 2)
        try await donate(on: phone)
        try await settle(phone, tablet)
        try await phone.run { try await INInteraction.delete(with: ["a"]) }
        // What the files hold at this moment is what is left of a process that is killed. While they are
        // copied the store's thread waits here: a file that becomes shorter while Foundation copies it
        // keeps the copy going for ever.
        let copied = try await phone.store.syncState { _ throws(DonationError) in
            Result { try FileManager.default.copyItem(atPath: folder, toPath: folder + "-after") }
        }
        try copied.get()
        await phone.store.flushAndClose()
        let again = try await StoredDevice(world, seed: 3, folder: folder + "-after")
        try await settle(again, tablet)
        #expect(try await !tablet.rows().contains("interaction a"))
        #expect(try await tablet.rows() == again.rows())
        #expect(try await world.donationCount == again.rows().count)
        await again.store.flushAndClose()
    }

    @Test func `a device that joins later deletes nothing by what it deleted before`()
        async throws
    {
        let (_, phone, tablet) = try await pair()
        let before = try await tablet.rows()
        let old = try await StoredDevice(phone.world, seed: 3, isOn: false)
        try await donate(on: old)
        try await old.run { try await INInteraction.deleteAll() }
        let waiting = try await old.store.syncState { sync throws(DonationError) in
            try sync.ownDeletions(limit: 9)
        }
        #expect(waiting.isEmpty, "nothing of what was deleted is kept")
        // It has the exchange switched on, and has joined no zone yet.
        try await old.store.delete(.everything)
        try await old.switchExchange(true)
        try await settle(old, phone, tablet)
        for device in [old, phone, tablet] { #expect(try await device.rows() == before) }
        // From the moment it is switched on, what it deletes counts.
        let late = try await StoredDevice(phone.world, seed: 4)
        try await late.run { try await INInteraction.deleteAll() }
        try await settle(late, old, phone, tablet)
        for device in [late, old, phone, tablet] {
            #expect(try await device.rows() == before.filter { !$0.hasPrefix("interaction") })
        }
    }
}
