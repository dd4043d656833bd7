import DonationStore
import Foundation
import Intents
import Testing

/// Changing what a person recorded, and the entity that an activity is about.
@Suite(.timeLimit(.minutes(10)))
struct VoiceShortcutTests {
    @MainActor private final class Listener: INUIEditVoiceShortcutViewControllerDelegate {
        var calls: [String] = []

        func editVoiceShortcutViewController(
            _ controller: INUIEditVoiceShortcutViewController,
            didUpdate voiceShortcut: INVoiceShortcut?, error: (any Error)?
        ) {
            calls.append(voiceShortcut?.invocationPhrase ?? "failed \(error != nil)")
        }
        func editVoiceShortcutViewController(
            _ controller: INUIEditVoiceShortcutViewController,
            didDeleteVoiceShortcutWithIdentifier deletedVoiceShortcutIdentifier: UUID
        ) { calls.append("deleted") }
        func editVoiceShortcutViewControllerDidCancel(
            _ controller: INUIEditVoiceShortcutViewController
        ) { calls.append("cancelled") }
    }

    @MainActor private func edit() async throws -> [String] {
        let center = INVoiceShortcutCenter.shared
        for phrase in ["Soup please", "More soup"] {
            let order = OrderSoupIntent()
            order.soup = INObject(identifier: "soup-1", display: "Chowder")
            let shortcut = try #require(INShortcut(intent: order))
            await INUIAddVoiceShortcutViewController(shortcut: shortcut)
                .record(invocationPhrase: phrase)
        }
        let recorded = try await center.allVoiceShortcuts()
        let sheet = INUIEditVoiceShortcutViewController(voiceShortcut: try #require(recorded.first))
        let listener = Listener()
        sheet.delegate = listener
        sheet.title = "Phrase"
        await sheet.update(invocationPhrase: "Chowder now")
        #expect(
            try await center.allVoiceShortcuts().map(\.invocationPhrase)
                == ["Chowder now", "More soup"])
        #expect(
            try await center.allVoiceShortcuts().first?.identifier == recorded.first?.identifier)
        await sheet.delete()
        #expect(try await center.allVoiceShortcuts().map(\.invocationPhrase) == ["More soup"])
        await sheet.delete()
        await sheet.update(invocationPhrase: "Too late")
        sheet.cancel()
        #expect(try await center.allVoiceShortcuts().count == 1)
        return listener.calls
    }

    @Test func `a recorded phrase is changed and deleted, once`() async throws {
        let app = try ShopApp()
        try await app.run {
            let calls = try await edit()
            #expect(
                calls == ["Chowder now", "deleted", "failed true", "failed true", "cancelled"])
        }
    }

    @Test func `the handler of recorded shortcuts runs on the queue of handlers`() async throws {
        let app = try ShopApp()
        try await app.run {
            let isInTask = await withCheckedContinuation { done in
                INVoiceShortcutCenter.shared.getAllVoiceShortcuts { _, _ in
                    done.resume(returning: withUnsafeCurrentTask { $0 != nil })
                }
            }
            #expect(!isInTask)
        }
    }

    private struct Soup: AppEntity { let id: String }

    @Test func `the entity of an activity is kept with it and found by its name`() async throws {
        let app = try ShopApp()
        try await app.run {
            let activity = NSUserActivity(activityType: "com.example.view")
            activity.title = "Look"
            activity.isEligibleForSearch = true
            activity.persistentIdentifier = "look"
            let entity = EntityIdentifier(for: Soup(id: "soup-42"))
            activity.appEntityIdentifier = entity
            #expect(activity.appEntityIdentifier == entity)
            #expect(entity.identifier == "soup-42")
            activity.becomeCurrent()
            try await app.store.flush()
            #expect(try await app.store.remainder(mentioning: ["soup-42"]).isEmpty == false)
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["look"])
            #expect(try await app.store.remainder(mentioning: ["soup-42"]).isEmpty)
            activity.appEntityIdentifier = nil
            #expect(activity.appEntityIdentifier == nil)
        }
    }
}
