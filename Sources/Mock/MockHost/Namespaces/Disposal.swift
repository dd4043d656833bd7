import AsyncOperations

/// Frees deleted namespaces on a thread of its own: a large store takes its time.
final class Disposal: Sendable {
    private let deleted = Mailbox<Box>()
    private let thread: DedicatedThread

    private final class Box: @unchecked Sendable {
        // Nothing uses it any more; its last reference is released here or on the loop's thread.
        private let namespace: AnyObject
        init(_ namespace: AnyObject) { self.namespace = namespace }
    }

    init() {
        let deleted = deleted
        thread = DedicatedThread(label: "disposal") {
            while deleted.next() != nil {}
        }
    }

    deinit {
        deleted.close()
        if !thread.isCurrent { thread.join() }
    }

    func take(_ namespace: AnyObject) { deleted.post(Box(namespace)) }
}
