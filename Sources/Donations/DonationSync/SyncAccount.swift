/// What is stored about the user of one container and environment.
package struct SyncAccount: Sendable, Hashable {
    /// The user record name of whom everything stored belongs to; nil: nobody was seen yet.
    package var identity: String?
    /// Whether to ask who is signed in before anything else.
    package var isDoubted = true
    /// Whether the container was found restricted, and its donations suspended for it.
    package var isSuspended = false
    /// Whether the app's donation zone is in this container.
    package var hasDonationZone = false
    /// Grows whenever everything about the container is forgotten; answers to older questions
    /// do not count.
    package var epoch: Int64 = 1

    /// An account nobody was seen of.
    package init() {}
}
