internal import Foundation

/// Leads the two forms of a handler's method to each other: with a completion, and `async`.
///
/// On Apple's systems they are one method that is imported twice, and an app writes either. Here
/// both are requirements, and each default calls the other; a task-local mark tells when an app
/// wrote neither.
enum HandlerForms {
    /// The method whose `async` default is calling the form with a completion.
    @TaskLocal private static var asked: Question?

    private struct Question: Hashable {
        let method: String
        let intent: ObjectIdentifier
    }

    /// Answers by the `async` form; `missing` when the app has none either.
    static func answer<Answer>(
        _ method: String, _ intent: INIntent, _ completion: @escaping (Answer) -> Void,
        missing: @autoclosure () -> Answer, by form: @escaping () async -> Answer
    ) {
        guard asked != Question(method: method, intent: ObjectIdentifier(intent))
        else { return completion(missing()) }
        let handed = Handed(value: (form, completion))
        // The app's method ends with its one answer, and the runner gives it up when it takes long.
        Task { handed.value.1(await handed.value.0()) }
    }

    /// Waits for the form with a completion; only its first answer counts.
    static func wait<Answer>(
        _ method: String, _ intent: INIntent,
        for form: (@escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer? {
        let question = Question(method: method, intent: ObjectIdentifier(intent))
        let (answers, continuation) = AsyncStream<Handed<Answer>>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        $asked.withValue(question) {
            form { answer in
                continuation.yield(Handed(value: answer))
                continuation.finish()
            }
        }
        for await answer in answers { return answer.value }
        return nil
    }

    /// Asks what is meant by a parameter; an older method answers when the app has no newer one.
    static func resolve<Newer: Resolved, Older: Resolved>(
        _ newer: (@escaping @Sendable (Newer) -> Void) -> Void,
        or older: @escaping (@escaping @Sendable (Older) -> Void) -> Void,
        answer: @escaping INIntentPhases.ResolutionAnswer
    ) {
        let older = Handed(value: older)
        newer { result in
            guard result.isAbsent else { return answer(result.resolved) }
            older.value { answer($0.resolved) }
        }
    }

    /// Asks what is meant by a parameter.
    static func resolve<Result: Resolved>(
        _ method: (@escaping @Sendable (Result) -> Void) -> Void,
        answer: @escaping INIntentPhases.ResolutionAnswer
    ) { method { answer($0.resolved) } }

    /// A value on its way from one form to the other.
    ///
    /// Unchecked: who gives it away does not use it again, as with a completion of Apple's.
    private struct Handed<Value>: @unchecked Sendable { let value: Value }
}

extension INIntentResponse {
    /// The answer when an app's handler has no method for the intent: the runner says so.
    static func unhandled() -> Self {
        let response = Self()
        response.hasNoHandler = true
        return response
    }
}

/// What a handler's method for one parameter answers with.
protocol Resolved: SendableMetatype {
    /// Whether the app has no such method.
    var isAbsent: Bool { get }
    var resolved: INIntentPhases.Resolved { get }
}

extension INIntentResolutionResult: Resolved {
    var resolved: INIntentPhases.Resolved { .one(self) }

    /// The answer when an app has no such method: the value is taken as it is.
    static func absent() -> Self {
        let result = Self(.notRequired)
        result.isAbsent = true
        return result
    }
}

extension Array: Resolved where Element: INIntentResolutionResult {
    var isAbsent: Bool { contains { $0.isAbsent } }
    var resolved: INIntentPhases.Resolved { .list(self) }
}
