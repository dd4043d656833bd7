/// The queue was told to start nothing new, and the operation had not started.
package struct OperationQueueDrained: Error, Sendable, Hashable {
    package init() {}
}
