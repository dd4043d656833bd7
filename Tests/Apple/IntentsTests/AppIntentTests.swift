import DonationStore
import Donations
import Foundation
import Intents
import Testing

struct SoupEntity: AppEntity {
    let id: String
}

struct OrderSoup: AppIntent {
    static let title: LocalizedStringResource = "Order Soup"
    @Parameter(title: "Soup") var soup: SoupEntity?
    @Parameter(title: "Starter") var starter: SoupEntity?
    @Parameter(title: "Quantity") var quantity: Int

    init() {}
    init(_ soup: String, starter: String? = nil) {
        self.soup = SoupEntity(id: soup)
        self.starter = starter.map { SoupEntity(id: $0) }
        quantity = 1
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct ShowMenu: AppIntent {
    static let title: LocalizedStringResource = "Show Menu"
    func perform() async throws -> some IntentResult { .result() }
}

/// Donations of App Intents and their deletion, the only one of Apple's with a receipt.
struct AppIntentTests {
    private struct Donated {
        let app: ShopApp
        let chowder: IntentDonationIdentifier
        let tomato: IntentDonationIdentifier
        let both: IntentDonationIdentifier
        let menu: IntentDonationIdentifier
    }

    private func donated() async throws -> Donated {
        let app = try ShopApp()
        return try await DonationStore.withStore(app.store) {
            try await message("a").donate()
            return Donated(
                app: app, chowder: try await OrderSoup("chowder").donate(),
                tomato: try await OrderSoup("tomato").donate(result: EmptyIntentResult()),
                both: try await IntentDonationManager.shared.donate(
                    intent: OrderSoup("pumpkin", starter: "chowder")),
                menu: try await ShowMenu().donate())
        }
    }

    private func delete(
        _ predicate: IntentDonationMatchingPredicate, _ donated: Donated
    ) async throws -> Set<IntentDonationIdentifier> {
        let before = try await donated.app.count(.appIntent)
        return try await donated.app.run {
            let gone = try await IntentDonationManager.shared.deleteDonations(matching: predicate)
            #expect(try await donated.app.identifiers() == ["a"], "interactions stay")
            #expect(try await donated.app.count(.appIntent) == before - gone.count)
            return Set(gone)
        }
    }

    @Test func `F61 D21 one donation goes by its identifier`() async throws {
        let all = try await donated()
        #expect(try await delete(.donationIdentifier(all.tomato), all) == [all.tomato])
        #expect(try await delete(.donationIdentifier(all.tomato), all) == [], "it is gone")
    }

    @Test func `F61 D21 all about an entity go, whichever parameter names it`() async throws {
        let all = try await donated()
        let chowder = EntityIdentifier(for: SoupEntity.self, identifier: "chowder")
        #expect(try await delete(.entityIdentifier(chowder), all) == [all.chowder, all.both])
        #expect(try await all.app.store.remainder(mentioning: ["chowder"]) == [])
    }

    @Test func `F61 D21 all of an action go, or those about an entity`() async throws {
        let all = try await donated()
        let tomato = EntityIdentifier(for: SoupEntity(id: "tomato"))
        let some = IntentDonationMatchingPredicate.intentType(
            OrderSoup.self, entityIdentifier: tomato)
        #expect(try await delete(some, all) == [all.tomato])
        #expect(try await delete(.intentType(OrderSoup.self), all) == [all.chowder, all.both])
        #expect(try await delete(.intentType(ShowMenu.self), all) == [all.menu])
    }

    @Test func `F61 D21 deleting interactions leaves donations of actions`() async throws {
        let all = try await donated()
        try await all.app.run { try await INInteraction.deleteAll() }
        #expect(try await all.app.count(.appIntent) == 4)
    }
}
