/// Names one operation of one queue.
package struct OperationID: Sendable, Hashable, Comparable {
    /// Counts up in the order in which the queue took operations.
    let rawValue: UInt64

    package static func < (left: OperationID, right: OperationID) -> Bool {
        left.rawValue < right.rawValue
    }
}
