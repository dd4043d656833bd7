import AsyncOperations
import Foundation

/// Opens once; a thread or a task waits until then.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)

    func open() { opened.signal() }

    /// For threads.
    func wait() {
        opened.wait()
        opened.signal()
    }

    /// For tasks.
    func passed() async {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "gate") { [self] in
                wait()
                continuation.resume()
            }
        }
    }
}
