import AsyncOperations
import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// What an interaction is made of, and what of it is stored.
struct InteractionTests {
    @Test func `a new interaction has the defaults of the documentation`() async throws {
        let app = try ShopApp()
        try await app.run {
            let interaction = INInteraction(intent: OrderSoupIntent(), response: nil)
            #expect(UUID(uuidString: interaction.identifier) != nil)
            #expect(interaction.groupIdentifier == nil)
            #expect(interaction.direction == .unspecified)
            #expect(interaction.intentHandlingStatus == .unspecified)
            #expect(interaction.intentResponse == nil)
            #expect(interaction.dateInterval == DateInterval(start: app.now, duration: 0))
            let second = INInteraction(intent: OrderSoupIntent(), response: nil)
            #expect(second.identifier != interaction.identifier)
        }
    }

    @Test func `intent and response are copied when the interaction is made`() async throws {
        let app = try ShopApp()
        try await app.run {
            let intent = OrderSoupIntent()
            intent.soup = INObject(identifier: "1", display: "Chowder")
            let response = OrderSoupIntentResponse(code: .success, userActivity: nil)
            let interaction = INInteraction(intent: intent, response: response)
            intent.soup = INObject(identifier: "2", display: "Tomato")
            response.waitTime = 99
            (interaction.intent as? OrderSoupIntent)?.soup = nil
            let kept = interaction.intent as? OrderSoupIntent
            #expect(kept?.soup?.identifier == "1")
            let answer = interaction.intentResponse as? OrderSoupIntentResponse
            #expect(answer?.waitTime == nil)
            #expect(answer?.code == .success)
        }
    }

    @Test func `the status comes from the response's code`() {
        let expected: [(OrderSoupIntentResponseCode, INIntentHandlingStatus)] = [
            (.unspecified, .unspecified), (.ready, .ready),
            (.continueInApp, .deferredToApplication), (.inProgress, .inProgress),
            (.success, .success), (.failure, .failure), (.failureOutOfStock, .failure),
        ]
        for (code, status) in expected {
            let response = OrderSoupIntentResponse(code: code, userActivity: nil)
            let interaction = INInteraction(intent: OrderSoupIntent(), response: response)
            #expect(interaction.intentHandlingStatus == status)
        }
    }

    @Test func `a parameter's value is found by its property and by its name`() {
        let interaction = message("a", to: "Ada")
        let byProperty = INParameter(keyPath: \INSendMessageIntent.content)
        #expect(byProperty.parameterKeyPath == "content")
        #expect(interaction.parameterValue(for: byProperty) as? String == "Hello")
        let byName = INParameter(for: INSendMessageIntent.self, keyPath: "recipients")
        let people = interaction.parameterValue(for: byName) as? [INPerson]
        #expect(people?.first?.customIdentifier == "person-Ada")
        byName.setIndex(0, forSubKeyPath: "recipients")
        #expect((interaction.parameterValue(for: byName) as? INPerson)?.displayName == "Ada")
        let elsewhere = INParameter(for: INPlayMediaIntent.self, keyPath: "recipients")
        #expect(interaction.parameterValue(for: elsewhere) == nil)
        let code = INParameter(for: INSendMessageIntentResponse.self, keyPath: "code")
        #expect(interaction.parameterValue(for: code) as? Int == 3)
    }

    @Test func `F7 the store has what the interaction says`() async throws {
        let app = try ShopApp()
        try await app.run {
            let interaction = message("a", group: "g", to: "Ada", text: "See you")
            interaction.dateInterval = DateInterval(
                start: Date(timeIntervalSince1970: 1000), duration: 60)
            interaction.donationActionIdentifier = "act-1"
            interaction.contentLink = ContentLink(container: "iCloud.com.example")
            try await interaction.donate()
        }
        let row = try #require(try await app.interactions().first)
        #expect(row.type == "INSendMessageIntent")
        #expect(row.group == "g")
        #expect(row.begin.milliseconds == 1_000_000)
        #expect(row.end.milliseconds == 1_060_000)
        #expect(row.numbers["direction"] == 1)
        #expect(row.numbers["status"] == 3)
        #expect(row.title == "Send “See you” to Ada")
        #expect(row.actionID == "act-1")
        #expect(row.link?.container == "iCloud.com.example")
        for word in ["See you", "Ada", "Ada@example.com", "person-Ada", "chat-Ada"] {
            #expect(row.mentions.contains(word), "\(row.mentions)")
        }
        #expect(!row.mentions.contains("INPerson"), "a class is no mention")
    }

    @Test func `a donation is what the interaction was at the call`() async throws {
        let app = try ShopApp()
        try await app.run {
            let interaction = message("a", group: "before")
            interaction.donate(completion: nil)
            interaction.groupIdentifier = "after"
            try await app.store.flush()
        }
        #expect(try await app.interactions().map(\.group) == ["before"])
    }

    @Test func `without a date the donation's moment counts`() async throws {
        let app = try ShopApp()
        let interaction = INInteraction(intent: OrderSoupIntent(), response: nil)
        #expect(interaction.dateInterval == nil)
        app.advance(by: 50)
        try await app.run { try await interaction.donate() }
        #expect(try await app.interactions().first?.begin.date == app.now)
    }

    @Test func `F37 one message to many is one donation`() async throws {
        let app = try ShopApp()
        try await app.run {
            let people = ["Ada", "Grace", "Alan", "Edsger", "Barbara"].map { name in
                INPerson(
                    personHandle: INPersonHandle(value: nil, type: .unknown), nameComponents: nil,
                    displayName: name, image: nil, contactIdentifier: nil, customIdentifier: name)
            }
            let intent = INSendMessageIntent(
                recipients: people, content: "All", speakableGroupName: nil,
                conversationIdentifier: nil, serviceName: nil, sender: nil)
            let metadata = INSendMessageIntentDonationMetadata()
            metadata.recipientCount = people.count
            intent.donationMetadata = metadata
            try await INInteraction(intent: intent, response: nil).donate()
        }
        let rows = try await app.interactions()
        #expect(rows.count == 1)
        let payload = try #require(InteractionPayload(decoding: rows[0].payload))
        #expect(payload.metadata["recipientCount"] == .integer(5))
        #expect(try await app.store.remainder(mentioning: ["Grace"]).count == 1)
    }

    @Test func `F7 a completion runs when the donation is there, and may call again`() async throws
    {
        let app = try ShopApp()
        let answers = AsyncStream<String>.makeStream()
        try await app.run {
            message("a").donate { error in
                answers.continuation.yield(error == nil ? "donated" : "failed")
                INInteraction.delete(with: ["a"]) { error in
                    answers.continuation.yield(error == nil ? "deleted" : "failed")
                    answers.continuation.finish()
                }
            }
        }
        var heard: [String] = []
        for await answer in answers.stream { heard.append(answer) }
        #expect(heard == ["donated", "deleted"])
        #expect(try await app.identifiers() == [])
    }

    @Test func `F17 an image has a file that goes with its donation`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("intents-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try ShopApp(directory: folder.path)
        let bytes = Data(repeating: 7, count: 5000)
        try await app.run {
            let intent = OrderSoupIntent()
            intent.soup = INObject(identifier: "1", display: "Chowder")
            intent.setImage(INImage(imageData: bytes), forParameterNamed: \.soup)
            #expect(intent.image(forParameterNamed: \.soup) == INImage(imageData: bytes))
            #expect(intent.keyImage() == INImage(imageData: bytes))
            let interaction = INInteraction(intent: intent, response: nil)
            interaction.identifier = "order"
            try await interaction.donate()
        }
        let image = try #require(try await app.interactions().first?.images.first)
        #expect(image.parameter == "soup")
        let stored = try await app.store.image(try #require(image.file))
        #expect(stored == [UInt8](bytes))
        try await app.run { try await INInteraction.delete(with: ["order"]) }
        #expect(try await app.store.image(try #require(image.file)) == nil)
        await app.store.flushAndClose()
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let file = try #require(image.file)
        #expect(!left.contains { $0.hasSuffix(file) }, "\(left)")
    }

    @Test func `F14 a donation is split into the combinations that are declared`() async throws {
        let app = try ShopApp()
        try await app.run {
            let intent = OrderSoupIntent()
            intent.soup = INObject(identifier: "1", display: "Chowder")
            intent.quantity = 2
            try await INInteraction(intent: intent, response: nil).donate()
            intent.quantity = nil
            try await INInteraction(intent: intent, response: nil).donate()
        }
        let rows = try await app.interactions()
        let names = rows.map { row in
            Set(row.suggestionPatterns.map { $0.values.map(\.name) })
        }
        #expect(names == [[["soup"], ["quantity", "soup"]], [["soup"]]])
        let shared = Set(rows[0].suggestionPatterns).intersection(rows[1].suggestionPatterns)
        #expect(shared.count == 1, "the same soup is the same pattern, whatever the number")
    }

    @Test func `F17 images of system intents are found by their properties`() throws {
        let intent = try #require(message("a").intent as? INSendMessageIntent)
        let image = try #require(INImage(url: URL(filePath: "/pictures/ada.png")))
        intent.setImage(image, forParameterNamed: \.sender)
        #expect(intent.image(forParameterNamed: \.sender) == image)
        #expect(intent.image(forParameterNamed: \.recipients) == nil)
        let copy = intent.copy() as? INSendMessageIntent
        #expect(copy?.image(forParameterNamed: \.sender) == image)
    }

    @Test func `F11 a suggestion has the phrase that the app proposes`() async throws {
        let app = try ShopApp()
        try await app.run {
            for _ in 0..<3 {
                let intent = OrderSoupIntent()
                intent.soup = INObject(identifier: "1", display: "Chowder")
                intent.suggestedInvocationPhrase = "Soup of the day"
                try await INInteraction(intent: intent, response: nil).donate()
                app.advance(by: 86_400)
            }
        }
        let first = try await app.store.suggestions(at: app.now, limit: 5).first
        #expect(first?.suggestedInvocationPhrase == "Soup of the day")
        #expect(first?.title == "Order Chowder")
    }

    @Test func `F26 erasing everything leaves what the user recorded and nothing else`()
        async throws
    {
        let app = try ShopApp()
        try await app.run {
            try await message("a", group: "g").donate()
            let shortcut = try #require(INShortcut(intent: message("b").intent))
            INVoiceShortcutCenter.shared.setShortcutSuggestions([shortcut])
            try await INRelevantShortcutStore.default.setRelevantShortcuts([
                INRelevantShortcut(shortcut: shortcut)
            ])
            INVocabulary.shared().setVocabularyStrings(["Ada"], of: .contactName)
            INUpcomingMediaManager.shared.setSuggestedMediaIntents([
                INPlayMediaIntent(
                    mediaItems: nil,
                    mediaContainer: INMediaItem(
                        identifier: "m", title: "M", type: .album, artwork: nil))
            ])
            INMediaUserContext().becomeCurrent()
            try await ShowMenu().donate()
            await INUIAddVoiceShortcutViewController(
                shortcut: INShortcut(userActivity: NSUserActivity(activityType: "com.example.v"))
            ).record(invocationPhrase: "Mine")
            #expect(try await app.store.counts().filter { $0.value > 0 }.count == 8)
            try await app.store.eraseEverything()
        }
        let left = try await app.store.counts().filter { $0.value > 0 }
        #expect(left == [.voiceShortcut: 1])
    }

    @Test func `F27 an intent that the app no longer has takes its donations along`() async throws {
        let app = try ShopApp()
        try await app.run {
            let intent = OrderSoupIntent()
            intent.soup = INObject(identifier: "1", display: "Chowder")
            try await INInteraction(intent: intent, response: nil).donate()
            try await message("a").donate()
        }
        try await app.store.retire(intentClass: "OrderSoupIntent")
        #expect(try await app.identifiers() == ["a"])
    }

    @Test func `F60 what is about a restricted container is refused without an error`() async throws
    {
        let app = try ShopApp()
        try await app.store.restrict(container: "iCloud.com.example")
        try await app.run {
            let interaction = message("a")
            interaction.contentLink = ContentLink(container: "iCloud.com.example")
            try await interaction.donate()
            try await message("b").donate()
        }
        #expect(try await app.identifiers() == ["b"])
        #expect(try await app.outcomes().contains(.refusedRestricted))
    }
}
