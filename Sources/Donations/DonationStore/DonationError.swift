/// Why the store could not do what it was asked.
public struct DonationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The folder or a file in it cannot be opened or made.
        case cannotOpen
        /// The file is something else than a donation store.
        case foreignStore
        /// The file is damaged.
        case corrupt
        case diskFull
        case inputOutput
        /// Another process writes and does not let go; the same call can succeed later.
        case busy
        /// The store was closed.
        case closed
        /// An earlier commit failed in a way that leaves open what is on disk.
        case broken
        /// A batch that is not open, or one that is open already.
        case batch
        /// Client state of more than 250 bytes (A19).
        case clientStateTooLong
        /// The client state in the store is not the expected one.
        case clientStateMismatch
        /// Something handed in exceeds a limit or is not well formed.
        case invalid
        /// `strict` deletion: an identifier matched nothing.
        case unmatchedIdentifiers
        /// No store was named with ``DonationStore/bootstrap(_:)``.
        case noStore
    }

    public let code: Code
    /// Words for people; never the user's own.
    public let reason: String

    /// A failure of one kind.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { reason }
}
