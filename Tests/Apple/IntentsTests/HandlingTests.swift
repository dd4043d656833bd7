import AsyncOperations
import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// The three phases, their errors, and what Siri knows already.
struct HandlingTests {
    /// A messenger whose answers the tests choose.
    final class Desk: INExtension, INSendMessageIntentHandling {
        var recipients: [INSendMessageRecipientResolutionResult] = [.notRequired()]
        var isReady = true
        var answers = true
        var donates = false
        var calls: [String] = []
        /// Called when the app was asked to carry it out and will not answer.
        var fellSilent: () -> Void = {}

        func resolveRecipients(
            for intent: INSendMessageIntent,
            with completion: @escaping ([INSendMessageRecipientResolutionResult]) -> Void
        ) {
            calls.append("resolve")
            completion(recipients)
        }

        func confirm(
            intent: INSendMessageIntent,
            completion: @escaping (INSendMessageIntentResponse) -> Void
        ) {
            calls.append("confirm")
            let code: INSendMessageIntentResponseCode = isReady ? .ready : .failure
            completion(INSendMessageIntentResponse(code: code, userActivity: nil))
        }

        func handle(
            intent: INSendMessageIntent,
            completion: @escaping (INSendMessageIntentResponse) -> Void
        ) {
            calls.append("handle \(intent.recipients?.map(\.displayName) ?? [])")
            if donates { INInteraction(intent: intent, response: nil).donate() }
            guard answers else { return fellSilent() }
            completion(INSendMessageIntentResponse(code: .success, userActivity: nil))
        }
    }

    private let runner = INIntentRunner(clock: ContinuousClock())

    @Test func `F35 the phases come in order and the resolved value goes on`() async throws {
        let app = try ShopApp()
        try await app.run {
            let desk = Desk()
            let grace = INPerson(
                personHandle: INPersonHandle(value: nil, type: .unknown), nameComponents: nil,
                displayName: "Grace", image: nil, contactIdentifier: nil, customIdentifier: nil)
            desk.recipients = [.success(with: grace)]
            let ended = try await runner.run(
                INSendMessageIntent(), with: desk, from: .shortcut)
            #expect(desk.calls == ["resolve", "confirm", "handle [\"Grace\"]"])
            guard case .handled(let interaction) = ended else {
                Issue.record("\(ended)")
                return
            }
            #expect(interaction.intentHandlingStatus == .success)
            #expect(try await app.identifiers() == [], "the app donates, not the runner")
        }
    }

    @Test func `F35 nobody handles it is 2003`() async throws {
        for provider in [INExtension(), Silent()] {
            do {
                _ = try await runner.run(INSendMessageIntent(), with: provider, from: .siri)
                Issue.record("it did not fail")
            } catch INIntentError.noHandlerProvidedForIntent {
            }
        }
        await #expect(throws: INIntentError.self) {
            _ = try await runner.run(INIntent(), with: Desk(), from: .siri)
        }
    }

    /// Gives no handler.
    final class Silent: INExtension {
        override func handler(for intent: INIntent) -> Any? { nil }
    }

    @Test func `F35 a handler that never answers is 3001 when its time is over`() async throws {
        let clock = ManualClock()
        let runner = INIntentRunner(clock: clock, phaseMax: .seconds(10))
        let desk = Desk()
        desk.answers = false
        let (silence, begin) = AsyncStream<Void>.makeStream()
        desk.fellSilent = { begin.finish() }
        async let end: Void = {
            // The phases before it slept too, for as long as their answers took.
            for await _ in silence {}
            await clock.waitForSleepers()
            clock.advance(by: .seconds(10))
        }()
        do {
            _ = try await runner.run(message("a").intent, with: desk, from: .shortcut)
            Issue.record("it did not fail")
        } catch INIntentError.requestTimedOut {
        }
        await end
        #expect(desk.calls.count == 3)
    }

    @Test func `F35 a parameter that must be there is 3002`() async throws {
        let desk = Desk()
        desk.recipients = [.needsValue()]
        do {
            _ = try await runner.run(INSendMessageIntent(), with: desk, from: .shortcut)
            Issue.record("it did not fail")
        } catch INIntentError.missingInformation {
        }
        #expect(desk.calls == ["resolve"])
    }

    @Test func `F35 a question to the person stops the phases`() async throws {
        let desk = Desk()
        desk.recipients = [.unsupported(forReason: .offline)]
        let ended = try await runner.run(INSendMessageIntent(), with: desk, from: .shortcut)
        guard case .needsInput("recipients", let result) = ended,
            case .unsupported(let reason) = result.outcome
        else {
            Issue.record("\(ended)")
            return
        }
        #expect(reason == INSendMessageRecipientUnsupportedReason.offline.rawValue)
        #expect(desk.calls == ["resolve"])
    }

    @Test func `F35 what the app cannot do is not handled`() async throws {
        let desk = Desk()
        desk.isReady = false
        let ended = try await runner.run(message("a").intent, with: desk, from: .shortcut)
        guard case .refused(let interaction) = ended else {
            Issue.record("\(ended)")
            return
        }
        #expect(interaction.intentHandlingStatus == .failure)
        #expect(desk.calls == ["resolve", "confirm"])
    }

    @Test(arguments: [true, false])
    func `F18 what Siri asked for is recorded once, by her`(fromSiri: Bool) async throws {
        let app = try ShopApp()
        try await app.run {
            let desk = Desk()
            desk.donates = true
            _ = try await runner.run(
                message("a").intent, with: desk, from: fromSiri ? .siri : .shortcut)
            try await app.store.flush()
        }
        let rows = try await app.interactions()
        #expect(rows.map(\.isFromSiri) == [fromSiri])
        #expect(try await app.outcomes().contains(.refusedFromSiri) == fromSiri)
    }

    @Test func `F16 a custom intent is made from its definition`() throws {
        let definition: [String: Any] = [
            "INIntents": [
                [
                    "INIntentName": "OrderSoup", "INIntentTitle": "Order Soup",
                    "INIntentParameters": [
                        ["INIntentParameterName": "soup", "INIntentParameterType": "Object"],
                        ["INIntentParameterName": "quantity", "INIntentParameterType": "Integer"],
                    ],
                    "INIntentParameterCombinations": [
                        "soup": ["INIntentParameterCombinationTitle": "Order ${soup}"]
                    ],
                ]
            ]
        ]
        let file = try PropertyListSerialization.data(
            fromPropertyList: definition, format: .xml, options: 0)
        let intent = try CustomIntent(
            className: "OrderSoupIntent", definition: file,
            parameters: ["soup": "Chowder", "unknown": 1])
        #expect(intent.intentDescription == "Order Chowder")
        #expect(INShortcut(intent: intent) != nil)
        #expect(intent.parameter(named: "unknown") == nil)
        let copy = intent.copy() as? CustomIntent
        #expect(copy?.intentClassName == "OrderSoupIntent")
        #expect(copy?.intentDescription == "Order Chowder")
        #expect(throws: INIntentError.self) {
            _ = try CustomIntent(className: "Other", definition: file, parameters: [:])
        }
        #expect(throws: INIntentError.self) {
            _ = try CustomIntent(className: "X", definition: Data("no".utf8), parameters: [:])
        }
    }
}
