private import AsyncOperations
import Donations

/// An open batch of an index: nothing of it is stored before it ends (D25).
package final class ItemBatch: Sendable {
    /// A call that waits for the batch's end.
    enum Step: Sendable {
        case index([(item: Donation, write: DonationStore.ItemWrite)], rebuilt: Set<String>)
        case delete([String])
    }

    /// The index it belongs to.
    package let indexName: String?
    /// The calls so far; nil once the batch has ended.
    private let steps = Locked<[Step]?>([])

    /// An empty batch.
    package init(indexName: String?) { self.indexName = indexName }

    /// Adds a call.
    ///
    /// - Returns: False when the batch has ended.
    func add(_ step: Step) -> Bool {
        steps.withLock { steps in
            steps?.append(step)
            return steps != nil
        }
    }

    /// Ends the batch; nil when it had ended before.
    func take() -> [Step]? {
        steps.withLock { steps in
            defer { steps = nil }
            return steps
        }
    }
}
