import AsyncOperations

/// Frees deleted namespaces on a thread of its own: a large store takes its time.
final class Disposal: Sendable {
    private let worlds = Mailbox<Box>()
    private let thread: DedicatedThread

    private final class Box: @unchecked Sendable {
        // Nothing uses it any more; its last reference is released here or on the loop's thread.
        private let world: AnyObject
        init(_ world: AnyObject) { self.world = world }
    }

    init() {
        let worlds = worlds
        thread = DedicatedThread(label: "disposal") {
            while worlds.next() != nil {}
        }
    }

    deinit {
        worlds.close()
        if !thread.isCurrent { thread.join() }
    }

    func take(_ world: AnyObject) { worlds.post(Box(world)) }
}
