package import Basics

/// One fresh look at everything in scope.
package struct VerificationPass: Sendable, Hashable {
    /// Counts from 1.
    package let number: Int
    package let began: Timestamp
    package let ended: Timestamp
    /// Things in scope that were still seen.
    package let left: Int
    /// Looks that failed, so that nothing can be said.
    package let unread: Int
    package let requests: Int

    package var isClean: Bool { left == 0 && unread == 0 }

    package init(
        number: Int, began: Timestamp, ended: Timestamp, left: Int, unread: Int, requests: Int
    ) {
        self.number = number
        self.began = began
        self.ended = ended
        self.left = left
        self.unread = unread
        self.requests = requests
    }
}
