internal import AsyncOperations
internal import DonationStore
internal import Donations
internal import Foundation

/// Carries an intent through the three phases of its handler: resolve, confirm, handle.
///
/// Not in Apple's interface, where Siri does this. A request from Siri is recorded by Siri
/// itself: the app's own donation of it in the `handle` method is refused, as long as it is made
/// before the method returns or in tasks that it starts.
public struct INIntentRunner<Time: Clock>: Sendable where Time.Duration == Duration {
    /// Who asks.
    public enum Origin: Sendable {
        /// Siri: she knows of it, and records it.
        case siri
        /// Another surface, such as the Shortcuts app.
        case shortcut
    }

    /// How it ended.
    public enum Outcome {
        /// The handler answered; the interaction has the resolved intent and the answer.
        case handled(INInteraction)
        /// The app said before handling it that it could not be carried out.
        case refused(INInteraction)
        /// A parameter needs a word from the person.
        case needsInput(parameter: String, INIntentResolutionResult)
    }

    private let clock: Time
    private let phaseMax: Duration

    /// A runner.
    ///
    /// - Parameter phaseMax: How long one phase may take; ten seconds if not given.
    public init(clock: Time, phaseMax: Duration = .seconds(10)) {
        self.clock = clock
        self.phaseMax = phaseMax
    }

    /// Carries out an intent.
    ///
    /// - Parameter intent: What was asked; the handler gets a copy.
    /// - Throws: `INIntentError`: `.noHandlerProvidedForIntent` when nobody takes it,
    ///   `.missingInformation` when a parameter is missing, `.requestTimedOut` when a phase takes
    ///   too long, `.donatingInteraction` when Siri's record cannot be kept.
    public func run(
        _ intent: INIntent, with provider: some INIntentHandlerProviding, from origin: Origin
    ) async throws -> Outcome {
        guard let intent = intent.copy() as? INIntent,
            let handler = provider.handler(for: intent),
            let phases = intent.handlingPhases(of: handler)
        else { throw INIntentError(.noHandlerProvidedForIntent) }
        for resolution in phases.resolutions {
            let resolved = try await answer { resolution.run(intent, $0) }
            if let open = try Self.apply(resolved, to: resolution.parameter, of: intent) {
                return .needsInput(parameter: resolution.parameter, open)
            }
        }
        if let confirm = phases.confirm {
            let response = try await answer { confirm(intent, $0) }
            guard
                response.isAgreed
                    || [.ready, .success, .unspecified].contains(response.handlingStatus)
            else {
                return .refused(INInteraction(intent: intent, response: response))
            }
        }
        let response = try await answer { answer in
            guard origin == .siri else { return phases.handle(intent, answer) }
            SiriRequest.handling(intent.intentClassName) { phases.handle(intent, answer) }
        }
        guard !response.hasNoHandler else { throw INIntentError(.noHandlerProvidedForIntent) }
        let interaction = INInteraction(intent: intent, response: response)
        if origin == .siri { try await Self.record(interaction) }
        return .handled(interaction)
    }

    /// Siri's own record of what she had asked for.
    private static func record(_ interaction: INInteraction) async throws {
        try await StoreCall.wait { completion in
            StoreCall.run(.donatingInteraction, completion: completion) { store, answer in
                let row = try InteractionRow.donation(
                    of: interaction, in: store, isFromSiri: true)
                store.donate([row], completion: answer)
            }
        }
    }

    /// Puts what is meant into the intent.
    ///
    /// - Returns: The first result that needs a word from the person.
    private static func apply(
        _ resolved: INIntentPhases.Resolved, to parameter: String, of intent: INIntent
    ) throws -> INIntentResolutionResult? {
        var (results, isList) = ([INIntentResolutionResult](), true)
        switch resolved {
        case .one(let result): (results, isList) = ([result], false)
        case .list(let list): results = list
        }
        var values: [Any] = []
        for result in results {
            switch result.outcome {
            case .success(let value): values.append(value)
            case .notRequired: continue
            case .needsValue: throw INIntentError(.missingInformation)
            case .disambiguation, .confirmationRequired, .unsupported: return result
            }
        }
        guard !values.isEmpty, let entry = intent.parameters.first(where: { $0.name == parameter })
        else { return nil }
        entry.write(intent, isList ? values : values[0])
        return nil
    }

    /// Starts a phase and waits for its answer, but not too long.
    private func answer<Answer>(
        _ start: (@escaping @Sendable (Answer) -> Void) -> Void
    ) async throws -> Answer {
        let early = Locked<PhaseAnswer<Answer>?>(nil)
        let (answers, continuation) = AsyncStream<PhaseAnswer<Answer>>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        // Also keeps the stream open when the handler drops its answer: the phase ends by the clock.
        defer { continuation.finish() }
        start { value in
            let answer = PhaseAnswer(value: value)
            early.withLock { $0 = $0 ?? answer }
            continuation.yield(answer)
        }
        if let answer = early.withLock({ $0 }) { return answer.value }
        let answer = try await withThrowingTaskGroup(of: PhaseAnswer<Answer>?.self) { group in
            group.addTask {
                for await answer in answers { return answer }
                return nil
            }
            group.addTask {
                try await clock.sleep(for: phaseMax)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        try Task.checkCancellation()
        guard let answer else { throw INIntentError(.requestTimedOut) }
        return answer.value
    }
}

/// An answer on its way to the runner.
///
/// Unchecked: the handler gives it away, and only the runner takes it.
private struct PhaseAnswer<Answer>: @unchecked Sendable {
    let value: Answer
}
