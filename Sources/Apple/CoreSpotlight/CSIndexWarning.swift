/// Something an app does that is allowed and seldom meant. Not in Apple's interface.
public struct CSIndexWarning: Sendable, Hashable {
    /// What was done.
    public enum Code: String, Sendable, CaseIterable {
        /// Everything was deleted while the delegate was asked to index again. That also deletes
        /// every related activity and all interactions; see ``CSSearchableIndex/rebuild(with:)``.
        case deleteAllWhileReindexing
        /// A domain seems to hold a name with periods of its own; see ``CSDomainIdentifier``.
        case domainLooksUnescaped
        /// The delegate let go of the acknowledgement handler without calling it.
        case notAcknowledged
        /// A batch was begun while another one was open; the open one goes on.
        case batchAlreadyOpen
        /// Client state was handed in without an open batch.
        case batchNotOpen
    }

    /// What was done.
    public let code: Code
    /// The index; nil is the default one.
    public let indexName: String?
}
