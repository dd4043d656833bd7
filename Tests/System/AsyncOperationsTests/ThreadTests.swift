import AsyncOperations
import Dispatch
import Foundation
import Testing

private actor Blocker {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
    private var counter = 0
    init(label: String) { executor = ThreadExecutor(label: label) }

    func threadName() -> String {
        preconditionIsolated()
        return (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
    }
    /// Blocks until the other side has come too.
    func meet(_ barrier: Barrier) { barrier.wait() }
    func count() -> Int {
        counter += 1
        return counter
    }
}

/// Lets two threads go on when both have come.
private final class Barrier: @unchecked Sendable {
    private let condition = NSCondition()
    private var arrived = 0
    func wait() {
        condition.lock()
        arrived += 1
        condition.broadcast()
        while arrived < 2 { condition.wait() }
        condition.unlock()
    }
}

private func threads(named name: String) -> Int {
    let folder = "/proc/self/task"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return tasks.filter {
        (try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8)) == name + "\n"
    }.count
}

@Suite(.timeLimit(.minutes(30))) struct ThreadTests {
    @Test func `an actor's jobs run on its own named thread`() async {
        let actor = Blocker(label: "cks-named")
        #expect(await actor.threadName() == "cks-named\n")
    }

    @Test func `actors that block do not stop each other`() async {
        let barrier = Barrier()
        let (left, right) = (Blocker(label: "cks-left"), Blocker(label: "cks-right"))
        async let first: Void = left.meet(barrier)
        async let second: Void = right.meet(barrier)
        _ = await (first, second)
    }

    @Test func `jobs from many tasks run one after the other`() async {
        let actor = Blocker(label: "cks-serial")
        let numbers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 { group.addTask { await actor.count() } }
            var numbers: [Int] = []
            for await number in group { numbers.append(number) }
            return numbers
        }
        #expect(numbers.sorted() == Array(1...1000))
    }

    @Test func `the thread ends when its actor is let go of`() async {
        do {
            let actor = Blocker(label: "cks-ending")
            #expect(await actor.count() == 1)
            #expect(threads(named: "cks-ending") == 1)
        }
        // Nobody tells when the kernel has taken a thread away.
        for _ in 0..<60_000 where threads(named: "cks-ending") > 0 { poll(nil, 0, 1) }
        #expect(threads(named: "cks-ending") == 0)
    }

    @Test func `joining waits for the body`() {
        let (done, mayEnd) = (Locked(false), DispatchSemaphore(value: 0))
        let thread = DedicatedThread(label: "cks-joined") {
            mayEnd.wait()
            done.withLock { $0 = true }
        }
        #expect(!thread.isCurrent)
        #expect(!done.withLock { $0 })
        mayEnd.signal()
        thread.join()
        #expect(done.withLock { $0 })
        thread.join()
    }

    @Test func `a thread that has the handle of another is not that one`() {
        let first = DedicatedThread(label: "cks-first") {}
        first.join()
        let taken = Locked(0)
        // The system gives a joined thread's handle to one of the next.
        for _ in 0..<100 {
            let later = DedicatedThread(label: "cks-later") {
                if first.isCurrent { taken.withLock { $0 += 1 } }
            }
            later.join()
        }
        #expect(taken.withLock { $0 } == 0)
    }

    @Test func `a lock lets one thread at a time change its value`() {
        let counter = Locked(0)
        let threads = (0..<4).map { _ in
            DedicatedThread(label: "cks-counting") {
                for _ in 0..<10_000 { counter.withLock { $0 += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(counter.withLock { $0 } == 40_000)
    }
}
