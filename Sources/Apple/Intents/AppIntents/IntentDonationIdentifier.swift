/// The name of a donation of an action; the handle for its deletion.
public struct IntentDonationIdentifier: Hashable, Sendable, Codable {
    /// The name as text. Not in Apple's interface.
    public let rawValue: String

    /// A name that was kept as text. Not in Apple's interface.
    public init(rawValue: String) { self.rawValue = rawValue }
}
