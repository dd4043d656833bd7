import Foundation
import Intents
import Testing

/// Values to choose from, authorization, and other small parts of Apple's interface.
@Suite(.timeLimit(.minutes(10)))
struct CollectionTests {
    private let soups = ["Chowder", "Tomato"].map { INObject(identifier: $0, display: $0) }

    @Test func `a collection keeps its sections in order`() {
        let collection = INObjectCollection(sections: [
            INObjectSection(title: "Fish", items: [soups[0]]),
            INObjectSection(title: nil, items: [soups[1]]),
        ])
        #expect(collection.allItems == soups && collection.sections.map(\.title) == ["Fish", nil])
        #expect(!collection.usesIndexedCollation)
        collection.usesIndexedCollation = true
        #expect(collection.copy() as? INObjectCollection<INObject> == collection)
        #expect(INObjectCollection(items: soups).sections.count == 1)
    }

    @Test func `results of cases and numbers say what is meant`() throws {
        guard case .success(let size) = INEnumResolutionResult.success(with: 2).outcome,
            case .success(let speed) = INDoubleResolutionResult.success(with: 1.5).outcome,
            case .unsupported(let reason) = INPlayMediaPlaybackSpeedResolutionResult.unsupported(
                forReason: .aboveMaximum
            ).outcome
        else { return #expect(Bool(false)) }
        #expect((size as? Int, speed as? Double, reason) == (2, 1.5, 2))
        let parent = INDoubleResolutionResult.confirmationRequired(with: 2)
        let child = INPlayMediaPlaybackSpeedResolutionResult(doubleResolutionResult: parent)
        guard case .confirmationRequired(let value) = child.outcome else {
            return #expect(Bool(false))
        }
        #expect(value as? Double == 2)
        let items = [INMediaItem(identifier: "1", title: nil, type: .song, artwork: nil)]
        #expect(INAddMediaMediaItemResolutionResult.successes(with: items).count == 1)
    }

    @Test func `nobody agreed to Siri before the person did`() async {
        #expect(await INFocusStatusCenter.default.requestAuthorization() == .notDetermined)
        #expect(INFocusStatusCenter.default.focusStatus.isFocused == nil)
        INPreferences.decide(.denied)
        #expect(await INPreferences.requestSiriAuthorization() == .denied)
        INPreferences.decide(.notDetermined)
    }

    @Test func `a deferred text is filled in`() {
        let text = NSString.deferredLocalizedIntentsString(with: "%@ and %d", "Soup", 2)
        #expect("\(text)" == "Soup and 2")
    }

    @Test func `a system intent without combinations still makes a shortcut`() {
        let payment = INSendPaymentIntent(payee: nil, currencyAmount: nil, note: "Rent")
        #expect(INShortcut(intent: payment)?.intent?.intentDescription == "Send payment")
        #expect(INShortcut(intent: INListCarsIntent())?.intent?.intentDescription == "List cars")
    }

    @Test func `a completion runs on a queue of its own and may call again`() async throws {
        let app = try ShopApp()
        try await app.run {
            await withCheckedContinuation { done in
                message("a").donate { _ in
                    INInteraction.delete(with: ["a"]) { _ in done.resume() }
                }
            }
        }
        #expect(try await app.identifiers() == [])
    }
}
