import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// Shortcuts and the lists that are replaced as a whole.
struct ShortcutTests {
    private func soup(_ name: String = "Chowder", quantity: NSNumber? = nil) -> OrderSoupIntent {
        let intent = OrderSoupIntent()
        intent.soup = INObject(identifier: name, display: name)
        intent.quantity = quantity
        intent.suggestedInvocationPhrase = "Order \(name)"
        return intent
    }

    @Test func `F21 a shortcut needs a title and all parameters of a combination`() {
        #expect(INShortcut(intent: soup()) != nil)
        #expect(INShortcut(intent: OrderSoupIntent()) == nil, "no parameter has a value")
        #expect(INShortcut(intent: INIntent()) == nil, "nothing declares a title")
        let untitled = CustomIntent(
            className: "X", parameters: ["a": 1], combinations: [.init(["a"], title: "")])
        #expect(INShortcut(intent: untitled) == nil)
        let activity = NSUserActivity(activityType: "com.example.shop.view")
        #expect(INShortcut(userActivity: activity).intent == nil)
    }

    @Test func `a shortcut has a copy of its intent`() {
        let intent = soup()
        let shortcut = INShortcut(intent: intent)
        intent.soup = nil
        #expect((shortcut?.intent as? OrderSoupIntent)?.soup?.displayString == "Chowder")
    }

    @Test func `F11 the title comes from the most specific combination`() {
        #expect(soup().intentDescription == "Order Chowder")
        #expect(soup(quantity: 2).intentDescription == "Order 2 Chowder")
    }

    @Test func `D17 relevant shortcuts replace the whole list`() async throws {
        let app = try ShopApp()
        try await app.run {
            let center = INRelevantShortcutStore.default
            let first = try ["A", "B", "C"].map {
                INRelevantShortcut(shortcut: try #require(INShortcut(intent: soup($0))))
            }
            try await center.setRelevantShortcuts(first)
            #expect(try await app.count(.relevantShortcut) == 3)
            try await message("a").donate()
            try await center.setRelevantShortcuts([first[1]])
            #expect(try await app.store.entries(.relevantShortcut).map(\.title) == ["Order B"])
            try await center.setRelevantShortcuts([])
            #expect(try await app.count(.relevantShortcut) == 0)
            #expect(try await app.identifiers() == ["a"])
        }
    }

    @Test func `F4 D18 and D19 suggestions go and recorded shortcuts stay`() async throws {
        let app = try ShopApp()
        try await app.run {
            let center = INVoiceShortcutCenter.shared
            let shortcut = try #require(INShortcut(intent: soup()))
            center.setShortcutSuggestions([shortcut])
            try await app.store.flush()
            #expect(try await app.count(.shortcutSuggestion) == 1)
            await record("Soup please", soup())
            center.setShortcutSuggestions([])
            try await app.store.flush()
            #expect(try await app.count(.shortcutSuggestion) == 0)
            try await INInteraction.deleteAll()
            try await app.store.eraseEverything()
            let recorded = try await center.allVoiceShortcuts()
            #expect(recorded.map(\.invocationPhrase) == ["Soup please"])
            let intent = recorded.first?.shortcut.intent as? CustomIntent
            #expect(intent?.intentClassName == "OrderSoupIntent")
            #expect((intent?.parameter(named: "soup") as? INObject)?.identifier == "Chowder")
            let one = try await center.voiceShortcut(with: try #require(recorded.first?.identifier))
            #expect(one.invocationPhrase == "Soup please")
        }
    }

    /// Records a phrase as a user would.
    @MainActor private func record(_ phrase: String, _ intent: sending INIntent) async {
        guard let shortcut = INShortcut(intent: intent) else { return }
        let sheet = INUIAddVoiceShortcutViewController(shortcut: shortcut)
        let listener = SheetListener()
        sheet.delegate = listener
        await sheet.record(invocationPhrase: phrase)
        #expect(listener.phrases == [phrase])
        sheet.cancel()
        #expect(listener.cancellations == 1)
    }

    @Test func `F23 phrases recorded at once are all there`() async throws {
        let app = try ShopApp()
        try await app.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { await record("Soup \(number)", soup()) }
                }
                try await group.waitForAll()
            }
            let phrases = try await INVoiceShortcutCenter.shared.allVoiceShortcuts()
                .map(\.invocationPhrase)
            #expect(Set(phrases) == Set((0..<20).map { "Soup \($0)" }))
        }
    }

    @Test func `a recorded shortcut that is gone is an error of its own`() async throws {
        let app = try ShopApp()
        try await app.run {
            do {
                _ = try await INVoiceShortcutCenter.shared.voiceShortcut(with: UUID())
                Issue.record("it did not fail")
            } catch INIntentError.voiceShortcutGetFailed {
            }
        }
    }

    @Test func `system intents come back as objects of their class`() async throws {
        let app = try ShopApp()
        try await app.run {
            await record("Tell Ada", message("x", to: "Ada").intent)
            let back = try await INVoiceShortcutCenter.shared.allVoiceShortcuts().first
            let intent = back?.shortcut.intent as? INSendMessageIntent
            #expect(intent?.recipients?.first?.customIdentifier == "person-Ada")
            #expect(intent?.recipients?.first?.personHandle?.type == .emailAddress)
            #expect(intent?.outgoingMessageType == .outgoingMessageText)
            #expect(intent?.content == "Hello")
        }
    }

    @Test func `F20 several providers are intersected`() throws {
        let shortcut = INRelevantShortcut(shortcut: try #require(INShortcut(intent: soup())))
        let noon = Date(timeIntervalSince1970: 12 * 3600)
        #expect(shortcut.relevance(at: noon) == 1)
        shortcut.relevanceProviders = [INDateRelevanceProvider(start: noon, end: nil)]
        #expect(shortcut.relevance(at: noon) == 1000)
        #expect(shortcut.relevance(at: noon - 6 * 3600) == 500, "it rises towards the date")
        #expect(shortcut.relevance(at: noon + 1800) == 500, "and falls after it")
        let kitchen = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 50,
            identifier: "kitchen")
        shortcut.relevanceProviders.append(INLocationRelevanceProvider(region: kitchen))
        #expect(shortcut.relevance(at: noon) == 0)
        #expect(shortcut.relevance(at: noon, regions: ["kitchen"]) == 1000)
        shortcut.relevanceProviders = [INDailyRoutineRelevanceProvider(situation: .commute)]
        #expect(shortcut.relevance(at: noon, situations: [.commute]) == 0, "nobody can tell")
    }

    @Test func `F34 a card is kept with its shortcut`() async throws {
        let app = try ShopApp()
        try await app.run {
            let relevant = INRelevantShortcut(shortcut: try #require(INShortcut(intent: soup())))
            let card = INDefaultCardTemplate(title: "Lunch")
            card.subtitle = "Chowder today"
            relevant.watchTemplate = card
            card.title = "Changed"
            relevant.shortcutRole = .information
            try await INRelevantShortcutStore.default.setRelevantShortcuts([relevant])
            let entry = try #require(try await app.store.entries(.relevantShortcut).first)
            let payload = try PayloadValue(decoding: entry.payload)
            #expect(payload["card"]?["title"] == .string("Lunch"))
            #expect(payload["card"]?["subtitle"] == .string("Chowder today"))
            #expect(payload["role"] == .integer(1))
        }
    }

    @Test func `D20 each type of words is replaced alone`() async throws {
        let app = try ShopApp()
        try await app.run {
            let vocabulary = INVocabulary.shared()
            vocabulary.setVocabularyStrings(["Ada", "Grace"], of: .contactName)
            vocabulary.setVocabularyStrings(["Morning"], of: .mediaPlaylistTitle)
            vocabulary.setVocabularyStrings(["Alan"], of: .contactName)
            try await app.store.flush()
            let words = try await app.store.entries(.vocabulary).map(\.identifier)
            #expect(words.sorted() == ["Alan", "Morning"])
            vocabulary.removeAllVocabularyStrings()
            try await app.store.flush()
            #expect(try await app.count(.vocabulary) == 0)
        }
    }

    @Test func `F38 a word has at most 1024 bytes`() async throws {
        let app = try ShopApp()
        try await app.run {
            let (fits, tooLong) = (
                String(repeating: "é", count: 512), String(repeating: "é", count: 512) + "e"
            )
            INVocabulary.shared().setVocabularyStrings([tooLong, fits], of: .photoTag)
            try await app.store.flush()
            #expect(try await app.store.entries(.vocabulary).map(\.identifier) == [fits])
        }
        #expect(try await app.outcomes().contains(.refusedValue))
    }

    @Test func `F36 upcoming media and the user's context are replaced`() async throws {
        let app = try ShopApp()
        try await app.run {
            let intents = ["one", "two"].map { name in
                INPlayMediaIntent(mediaItems: [
                    INMediaItem(identifier: name, title: name, type: .podcastEpisode, artwork: nil)
                ])
            }
            let manager = INUpcomingMediaManager.shared
            manager.setSuggestedMediaIntents(NSOrderedSet(array: intents))
            manager.setPredictionMode(.onlyPredictSuggestedIntents, for: .podcastEpisode)
            let context = INMediaUserContext()
            context.numberOfLibraryItems = 3
            context.becomeCurrent()
            context.numberOfLibraryItems = 4
            context.becomeCurrent()
            try await app.store.flush()
            let upcoming = try await app.store.entries(.upcomingMedia)
            #expect(upcoming.map(\.title) == ["Play one", "Play two"])
            let kept = try await app.store.entries(.setting, scope: "INMediaUserContext")
            let library = try PayloadValue(decoding: try #require(kept.first).payload)
            #expect(library["numberOfLibraryItems"] == .integer(4))
            manager.setSuggestedMediaIntents([])
            try await app.store.flush()
            #expect(try await app.count(.upcomingMedia) == 0)
        }
    }

    @Test func `F33 a sequence of intents is data and comes back`() throws {
        let call = INStartAudioCallIntent(destinationType: .redial, contacts: nil)
        let sequence = IntentSequence(title: "Evening", intents: [soup(quantity: 2), call])
        let data = try sequence.data()
        #expect(try IntentSequence(title: "Evening", intents: sequence.intents).data() == data)
        let back = try IntentSequence(data: data)
        #expect(back.title == "Evening")
        #expect(
            back.intents.map(\.intentClassName) == ["OrderSoupIntent", "INStartAudioCallIntent"])
        #expect((back.intents.last as? INStartAudioCallIntent)?.destinationType == .redial)
        #expect(back.intents.first?.intentDescription == "Order 2 Chowder")
        #expect(try back.data() == data)
        #expect(throws: INIntentError.self) { _ = try IntentSequence(data: Data([1, 2])) }
    }

    @Test func `a list with something that cannot be stored leaves the former list`() async throws {
        let app = try ShopApp()
        try await app.run {
            let good = try #require(INShortcut(intent: soup()))
            INVoiceShortcutCenter.shared.setShortcutSuggestions([good])
            let odd = CustomIntent(
                className: "Odd", parameters: ["a": NSObject()],
                combinations: [.init(["a"], title: "Odd")])
            let bad = try #require(INShortcut(intent: odd))
            INVoiceShortcutCenter.shared.setShortcutSuggestions([good, bad])
            do {
                try await INRelevantShortcutStore.default.setRelevantShortcuts([
                    INRelevantShortcut(shortcut: bad)
                ])
                Issue.record("it did not fail")
            } catch INIntentError.encodingFailed {
            }
            try await app.store.flush()
            #expect(try await app.count(.shortcutSuggestion) == 1)
        }
        #expect(try await app.outcomes().filter { $0 == .refusedValue }.count == 2)
    }

    @Test func `the bits of availability are Apple's`() {
        let all: [INShortcutAvailabilityOptions] = [
            .sleepMindfulness, .sleepJournaling, .sleepMusic, .sleepPodcasts, .sleepReading,
            .sleepWrapUpYourDay, .sleepYogaAndStretching,
        ]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64])
    }

    @Test func `an activity keeps what Intents adds to it`() async throws {
        let app = try ShopApp()
        try await app.run {
            let activity = NSUserActivity(activityType: "com.example.shop.view")
            activity.title = "Chowder"
            activity.isEligibleForPrediction = true
            activity.suggestedInvocationPhrase = "Show chowder"
            activity.shortcutAvailability = [.sleepMusic, .sleepReading]
            #expect(activity.interaction == nil)
            activity.becomeCurrent()
            try await app.store.flush()
        }
        let row = try #require(try await app.store.list(.savedActivity).first)
        #expect(row.suggestedInvocationPhrase == "Show chowder")
        #expect(row.numbers["availability"] == 20)
    }

    @Test func `F43 an activity that opens the app for Siri has the interaction`() throws {
        let interaction = message("a", to: "Ada")
        let activity = NSUserActivity.launch(for: interaction)
        #expect(activity.activityType == "INSendMessageIntent")
        #expect(activity.interaction?.identifier == "a")
        let intent = activity.interaction?.intent as? INSendMessageIntent
        #expect(intent?.content == "Hello")
    }
}

/// Hears what the sheet says.
@MainActor private final class SheetListener: INUIAddVoiceShortcutViewControllerDelegate {
    var phrases: [String] = []
    var cancellations = 0

    func addVoiceShortcutViewController(
        _ controller: INUIAddVoiceShortcutViewController,
        didFinishWith voiceShortcut: INVoiceShortcut?, error: (any Error)?
    ) {
        phrases += [voiceShortcut?.invocationPhrase].compactMap { $0 }
    }

    func addVoiceShortcutViewControllerDidCancel(_ controller: INUIAddVoiceShortcutViewController) {
        cancellations += 1
    }
}
