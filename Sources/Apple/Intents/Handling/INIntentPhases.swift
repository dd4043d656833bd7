/// The three phases of a handler, without its type. Not in Apple's interface, where the
/// Objective-C runtime finds the methods.
public struct INIntentPhases {
    /// Answers with a response.
    public typealias Answer = @Sendable (INIntentResponse) -> Void
    /// Answers with what is meant by a parameter.
    public typealias ResolutionAnswer = @Sendable (Resolved) -> Void

    /// What is meant by a parameter.
    public enum Resolved {
        /// By one that holds one value.
        case one(INIntentResolutionResult)
        /// By each element of one that holds a list.
        case list([INIntentResolutionResult])
    }

    let resolutions: [(parameter: String, run: (INIntent, @escaping ResolutionAnswer) -> Void)]
    let confirm: ((INIntent, @escaping Answer) -> Void)?
    let handle: (INIntent, @escaping Answer) -> Void

    /// The phases for a class of intents.
    ///
    /// - Parameters:
    ///   - resolving: By the name of the parameter, in the order in which they are asked.
    ///   - confirming: nil: it needs no confirmation.
    ///   - handling: Carries it out.
    public init<Intent: INIntent>(
        for type: Intent.Type,
        resolving: KeyValuePairs<String, (Intent, @escaping ResolutionAnswer) -> Void> = [:],
        confirming: ((Intent, @escaping Answer) -> Void)? = nil,
        handling: @escaping (Intent, @escaping Answer) -> Void
    ) {
        resolutions = resolving.map { name, run in
            (name, { intent, answer in (intent as? Intent).map { run($0, answer) } })
        }
        confirm = confirming.map { confirming in
            { intent, answer in (intent as? Intent).map { confirming($0, answer) } }
        }
        handle = { intent, answer in (intent as? Intent).map { handling($0, answer) } }
    }
}
