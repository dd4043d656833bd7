/// Keeps somebody informed of deletions while it is held.
package final class DeletionObservation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
