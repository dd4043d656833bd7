import AsyncOperations
import Foundation
import Intents
import Testing

/// A handler's methods in both of Apple's forms, with each other and with none.
@Suite(.timeLimit(.minutes(10)))
struct HandlerFormTests {
    private final class WithCompletion: NSObject, INCreateNoteIntentHandling {
        func handle(
            intent: INCreateNoteIntent, completion: @escaping (INCreateNoteIntentResponse) -> Void
        ) { completion(INCreateNoteIntentResponse(code: .success, userActivity: nil)) }
    }

    private final class WithAsync: NSObject, INCreateNoteIntentHandling {
        func resolveTitle(for intent: INCreateNoteIntent) async -> INSpeakableStringResolutionResult
        {
            .success(with: INSpeakableString(spokenPhrase: "Shopping list"))
        }
        func confirm(intent: INCreateNoteIntent) async -> INCreateNoteIntentResponse {
            let isAllowed = intent.content != nil
            return INCreateNoteIntentResponse(
                code: isAllowed ? .ready : .failure, userActivity: nil)
        }
        func handle(intent: INCreateNoteIntent) async -> INCreateNoteIntentResponse {
            let response = INCreateNoteIntentResponse(code: .success, userActivity: nil)
            response.createdNote = INNote(
                title: intent.title ?? INSpeakableString(spokenPhrase: ""),
                contents: [intent.content].compactMap { $0 }, groupName: nil,
                createdDateComponents: nil, modifiedDateComponents: nil, identifier: "note-1")
            return response
        }
    }

    private final class WithNeither: NSObject, INCreateNoteIntentHandling {}

    /// Hands the work to another handler, in the form that the other does not have.
    private final class Proxy: NSObject, INCreateNoteIntentHandling {
        let other = WithAsync()
        func handle(
            intent: INCreateNoteIntent, completion: @escaping (INCreateNoteIntentResponse) -> Void
        ) {
            guard let copy = intent.copy() as? INCreateNoteIntent else { return }
            let answer = UncheckedAnswer(completion)
            other.handle(intent: copy) { answer.give($0) }
        }
    }

    /// Unchecked: given once, by the handler that was asked.
    private struct UncheckedAnswer: @unchecked Sendable {
        let give: (INCreateNoteIntentResponse) -> Void
        init(_ give: @escaping (INCreateNoteIntentResponse) -> Void) { self.give = give }
    }

    private struct Provider: INIntentHandlerProviding {
        let handler: Any
        func handler(for intent: INIntent) -> Any? { handler }
    }

    private func run(
        _ handler: Any, _ content: INNoteContent? = INTextNoteContent(text: "Milk")
    ) async throws -> INIntentRunner<ContinuousClock>.Outcome {
        let intent = INCreateNoteIntent(title: nil, content: content, groupName: nil)
        return try await INIntentRunner(clock: ContinuousClock())
            .run(intent, with: Provider(handler: handler), from: .shortcut)
    }

    private func response(
        _ outcome: INIntentRunner<ContinuousClock>.Outcome
    ) throws -> INCreateNoteIntentResponse {
        guard case .handled(let interaction) = outcome else { throw Unexpected() }
        return try #require(interaction.intentResponse as? INCreateNoteIntentResponse)
    }

    private struct Unexpected: Error {}

    @Test func `a handler with a completion is asked`() async throws {
        #expect(try response(await run(WithCompletion())).code == .success)
    }

    @Test func `an async handler is asked for each phase`() async throws {
        let note = try #require(try response(await run(WithAsync())).createdNote)
        #expect(note.title.spokenPhrase == "Shopping list")
        #expect((note.contents.first as? INTextNoteContent)?.text == "Milk")
        guard case .refused(let refused) = try await run(WithAsync(), nil) else {
            throw Unexpected()
        }
        #expect(refused.intentHandlingStatus == .failure)
    }

    @Test func `each form answers for the other`() async throws {
        let intent = INCreateNoteIntent(title: nil, content: nil, groupName: nil)
        #expect(await WithCompletion().handle(intent: intent).code == .success)
        #expect(await Proxy().handle(intent: intent).createdNote?.identifier == "note-1")
    }

    @Test func `a handler with neither form handles nothing, and nothing turns in a circle`()
        async throws
    {
        await #expect(throws: INIntentError.self) { _ = try await self.run(WithNeither()) }
        let intent = INCreateNoteIntent(title: nil, content: nil, groupName: nil)
        #expect(await WithNeither().handle(intent: intent).code == .unspecified)
    }

    // MARK: Methods that newer ones replace

    private static func ada(_ name: String) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: nil, type: .unknown), nameComponents: nil,
            displayName: name, image: nil, contactIdentifier: nil, customIdentifier: nil)
    }

    private class Payer: NSObject, INSendPaymentIntentHandling {
        func handle(intent: INSendPaymentIntent) async -> INSendPaymentIntentResponse {
            INSendPaymentIntentResponse(code: .success, userActivity: nil)
        }
    }

    private final class OlderPayer: NSObject, INSendPaymentIntentHandling {
        func resolvePayee(
            for intent: INSendPaymentIntent,
            with completion: @escaping (INPersonResolutionResult) -> Void
        ) { completion(.success(with: ada("older"))) }
        func handle(intent: INSendPaymentIntent) async -> INSendPaymentIntentResponse {
            INSendPaymentIntentResponse(code: .success, userActivity: nil)
        }
    }

    private final class OlderAsyncPayer: NSObject, INSendPaymentIntentHandling {
        func resolvePayee(for intent: INSendPaymentIntent) async -> INPersonResolutionResult {
            .success(with: ada("older async"))
        }
        func handle(intent: INSendPaymentIntent) async -> INSendPaymentIntentResponse {
            INSendPaymentIntentResponse(code: .success, userActivity: nil)
        }
    }

    private final class PayerWithBoth: NSObject, INSendPaymentIntentHandling {
        func resolvePayee(
            for intent: INSendPaymentIntent,
            with completion: @escaping (INPersonResolutionResult) -> Void
        ) { completion(.success(with: ada("older"))) }
        func resolvePayee(
            for intent: INSendPaymentIntent,
            with completion: @escaping (INSendPaymentPayeeResolutionResult) -> Void
        ) { completion(.success(with: ada("newer"))) }
        func handle(intent: INSendPaymentIntent) async -> INSendPaymentIntentResponse {
            INSendPaymentIntentResponse(code: .success, userActivity: nil)
        }
    }

    @Test func `an older method answers when there is no newer one`() async throws {
        let handlers: [(any INSendPaymentIntentHandling, String)] = [
            (OlderPayer(), "older"), (OlderAsyncPayer(), "older async"),
            (PayerWithBoth(), "newer"), (Payer(), "nobody else"),
        ]
        for (handler, name) in handlers {
            let intent = INSendPaymentIntent(
                payee: Self.ada("nobody else"), currencyAmount: nil, note: nil)
            let ended = try await INIntentRunner(clock: ContinuousClock())
                .run(intent, with: Provider(handler: handler), from: .shortcut)
            guard case .handled(let interaction) = ended else { throw Unexpected() }
            let payment = interaction.intent as? INSendPaymentIntent
            #expect(payment?.payee?.displayName == name)
        }
    }

    // MARK: What is resolved

    private final class Driver: NSObject, INSetClimateSettingsInCarIntentHandling {
        func resolveClimateZone(
            for intent: INSetClimateSettingsInCarIntent
        ) async -> INCarSeatResolutionResult { .success(with: .rear) }
        func resolveTemperature(
            for intent: INSetClimateSettingsInCarIntent
        ) async -> INTemperatureResolutionResult {
            .success(with: Measurement(value: 21, unit: .celsius))
        }
        func resolveFanSpeedPercentage(
            for intent: INSetClimateSettingsInCarIntent
        ) async -> INDoubleResolutionResult { .success(with: 50) }
        func handle(
            intent: INSetClimateSettingsInCarIntent
        ) async -> INSetClimateSettingsInCarIntentResponse {
            let celsius = intent.temperature?.converted(to: .celsius).value.rounded()
            let isRight =
                intent.climateZone == .rear && celsius == 21 && intent.fanSpeedPercentage == 50
            return INSetClimateSettingsInCarIntentResponse(
                code: isRight ? .success : .failure, userActivity: nil)
        }
    }

    /// A case that a handler resolved used to be lost: only its number was looked for.
    @Test
    func `cases, quantities and numbers that are resolved reach the handler and the donation`()
        async throws
    {
        let app = try ShopApp()
        try await app.run {
            let ended = try await INIntentRunner(clock: ContinuousClock()).run(
                INSetClimateSettingsInCarIntent(), with: Provider(handler: Driver()), from: .siri)
            guard case .handled(let interaction) = ended else { throw Unexpected() }
            #expect(interaction.intentHandlingStatus == .success)
        }
        #expect(try await app.count(.interaction) == 1)
    }

    /// Restaurants count from success on: what nobody handled must not look like a success.
    @Test func `an unhandled restaurant intent is no success`() async {
        final class Nobody: NSObject, INGetRestaurantGuestIntentHandling {}
        let response = await Nobody().handle(intent: INGetRestaurantGuestIntent())
        #expect(response.code == .failure && response.handlingStatus == .failure)
    }
}
