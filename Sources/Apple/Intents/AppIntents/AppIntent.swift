/// A text that an app shows, here in its own language only.
public struct LocalizedStringResource: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text.
    public let key: String
    /// A text.
    public init(stringLiteral value: String) { key = value }
}

/// What an action gives back.
public protocol IntentResult: Sendable {}

/// An action that gives nothing back.
public struct EmptyIntentResult: IntentResult, Hashable {
    /// Nothing.
    public init() {}
}

extension IntentResult where Self == EmptyIntentResult {
    /// Nothing.
    public static func result() -> EmptyIntentResult { EmptyIntentResult() }
}

/// An action of an app, as the AppIntents framework has it; what its donations need of it.
///
/// The system runs nothing here: surfaces, phrases and shortcuts of App Intents are not supported.
public protocol AppIntent: Sendable {
    /// What the action gives back.
    associatedtype PerformResult: IntentResult
    /// What people read.
    static var title: LocalizedStringResource { get }
    /// An action without parameters set.
    init()
    /// Does it.
    func perform() async throws -> PerformResult
}

extension AppIntent {
    /// Tells the system that the person did this.
    @discardableResult
    public func donate() async throws -> IntentDonationIdentifier {
        try await IntentDonationManager.shared.donate(intent: self)
    }

    /// Tells the system that the person did this, and what came of it.
    @discardableResult
    public func donate(result: some IntentResult) async throws -> IntentDonationIdentifier {
        try await IntentDonationManager.shared.donate(intent: self, result: result)
    }
}
