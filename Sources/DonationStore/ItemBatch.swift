/// An open batch of an index: nothing of it is stored before it ends.
package final class ItemBatch: Sendable {
    /// The index it belongs to.
    package let indexName: String?

    /// An empty batch.
    package init(indexName: String?) { self.indexName = indexName }
}
