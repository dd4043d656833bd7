import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// What apps do wrong, and how it is told to them.
struct MistakeTests {
    private func findings(_ app: ShopApp) async throws -> Set<AuditFinding.Code> {
        Set(try await DonationAudit.findings(app.store.auditFacts()).map(\.code))
    }

    @Test func `M1 donations that nothing ever deletes are found`() async throws {
        let app = try ShopApp()
        try await app.run { try await message("a", group: "chat").donate() }
        #expect(try await findings(app).contains(.neverDeleted))
        try await app.run { try await INInteraction.delete(with: "chat") }
        #expect(try await !findings(app).contains(.neverDeleted))
    }

    @Test func `M2 a strict store refuses a deletion by the wrong key`() async throws {
        let app = try ShopApp { $0.isStrict = true }
        try await app.run {
            try await message("a", group: "account.chat").donate()
            await #expect(throws: INIntentError.self) {
                try await INInteraction.delete(with: ["account.chat"])
            }
        }
        #expect(try await app.identifiers() == ["a"])
    }

    @Test func `M12 a voice shortcut is not deleted through interactions`() async throws {
        let app = try ShopApp()
        try await app.run {
            let activity = NSUserActivity(activityType: "com.example.shop.view")
            activity.title = "Chowder"
            activity.persistentIdentifier = "chowder"
            let shortcut = INShortcut(userActivity: activity)
            await INUIAddVoiceShortcutViewController(shortcut: shortcut)
                .record(invocationPhrase: "Soup")
            let recorded = try await INVoiceShortcutCenter.shared.allVoiceShortcuts()
            let identifier = try #require(recorded.first?.identifier)
            try await INInteraction.delete(with: [identifier.uuidString, "chowder"])
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["chowder"])
            let left = try await INVoiceShortcutCenter.shared.allVoiceShortcuts()
            #expect(left.map(\.identifier) == [identifier])
            #expect(left.first?.shortcut.userActivity?.persistentIdentifier == "chowder")
        }
        let calls = try await app.store.outcomes(limit: 10)
        #expect(calls.contains { $0.unmatched == 2 }, "the log says that nothing matched")
    }

    @Test func `M13 donating a whole list instead of an act is found`() async throws {
        let app = try ShopApp()
        try await app.run {
            try await INInteraction.delete(with: "menu")
            for number in 0..<8 { try await message("m\(number)", group: "menu").donate() }
        }
        #expect(try await findings(app).contains(.loop))
    }

    @Test func `M13 and F5 one act is one donation`() async throws {
        let app = try ShopApp()
        try await app.run {
            for number in 0..<2 {
                let interaction = message("m\(number)")
                interaction.donationActionIdentifier = "act"
                try await interaction.donate()
                app.advance(by: 10)
            }
            try await message("x").donate()
        }
        let codes = try await findings(app)
        #expect(codes.contains(.repeatedAction))
        #expect(codes.contains(.withoutAction))
    }

    @Test func `M20 nothing is suggested of a group that was deleted`() async throws {
        let app = try ShopApp()
        try await app.run {
            for day in 0..<5 {
                try await message("g\(day)", group: "club", to: "Club").donate()
                try await message("a\(day)", group: "ada", to: "Ada").donate()
                app.advance(by: 86_400)
            }
            #expect(try await titles(app).contains { $0.contains("Club") })
            try await INInteraction.delete(with: "club")
        }
        let left = try await titles(app)
        #expect(!left.contains { $0.contains("Club") }, "\(left)")
        #expect(left.contains { $0.contains("Ada") }, "\(left)")
        #expect(try await app.store.remainder(mentioning: ["Club", "club"]) == [])
    }

    private func titles(_ app: ShopApp) async throws -> [String] {
        try await app.store.suggestions(at: app.now, limit: 10).compactMap(\.title)
    }
}
