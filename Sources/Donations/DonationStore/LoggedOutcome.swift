public import Donations
public import FoundationEssentials

/// What became of one donation or deletion, kept for whoever ignored it then (M9).
public struct LoggedOutcome: Sendable, Codable, Hashable {
    /// Counts up over the store's life.
    public var sequence: UInt64
    public var at: Date
    /// What was called: `donate`, `index`, `delete`, `expire`.
    public var call: String
    public var kind: DonationKind?
    /// The activity type or intent class; nil where there is none.
    public var type: String?
    public var outcome: DonationOutcome?
    /// How many rows a deletion removed.
    public var removed: Int
    /// How many identifiers of a deletion matched nothing.
    public var unmatched: Int
}
