/// Names one operation of one queue, so that later ones can wait for it.
package struct OperationID: Sendable, Hashable, Comparable {
    /// Counts up in the order in which the queue handed IDs out.
    let rawValue: UInt64

    package static func < (left: OperationID, right: OperationID) -> Bool {
        left.rawValue < right.rawValue
    }
}
