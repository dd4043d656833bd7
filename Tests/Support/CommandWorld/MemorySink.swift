import AsyncOperations
import Host

/// Keeps what was written, and wakes who waits for some of it.
package final class MemorySink: TextSink {
    /// Nothing that was waited for can come any more.
    package struct Unwritten: Error {
        let part: String
        let text: String
    }

    private struct State {
        var text = ""
        var hasEnded = false
        var lastWaiter = 0
        var waiting: [Int: (part: String, continuation: CheckedContinuation<Void, Never>)] = [:]
    }
    private let state = Locked(State())
    package init() {}

    package var text: String { state.withLock { $0.text } }

    package func write(_ text: String) {
        wake { state in
            state.text += text
            let all = state.text
            return state.waiting.filter { all.contains($0.value.part) }.map(\.key)
        }
    }

    /// Nobody will write any more.
    package func end() {
        wake { state in
            state.hasEnded = true
            return Array(state.waiting.keys)
        }
    }

    private func wake(_ pick: (inout State) -> [Int]) {
        let woken = state.withLock { state in
            pick(&state).compactMap { state.waiting.removeValue(forKey: $0)?.continuation }
        }
        for continuation in woken { continuation.resume() }
    }

    /// Suspends until `part` was written.
    ///
    /// - Throws: ``Unwritten`` when the end comes first, or the task is cancelled.
    package func wait(for part: String) async throws {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasEnded || Task.isCancelled || state.text.contains(part) {
                        return true
                    }
                    state.waiting[waiter] = (part, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake { $0.waiting[waiter] == nil ? [] : [waiter] }
        }
        let text = text
        guard text.contains(part) else { throw Unwritten(part: part, text: text) }
    }
}
