internal import AsyncOperations

/// Waits for a delegate's answer, and notices when none can come any more.
final class Acknowledgement: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Bool, Never>)
        case answered(Bool)
    }

    private let state = Locked(State.open)

    /// What the delegate is to call; when it lets go of it uncalled, the answer is no.
    static func make() -> (answer: Acknowledgement, handler: @Sendable () -> Void) {
        let answer = Acknowledgement()
        let token = Token(answer)
        return (answer, { token.call() })
    }

    private final class Token: Sendable {
        private let answer: Acknowledgement
        init(_ answer: Acknowledgement) { self.answer = answer }
        func call() { answer.settle(true) }
        deinit { answer.settle(false) }
    }

    /// Whether the delegate acknowledged. No when the waiting task is cancelled.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if case .answered(let answer) = state { return answer }
                    state = .waiting(continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            settle(false)
        }
    }

    private func settle(_ answer: Bool) {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            switch state {
            case .answered: return nil
            case .open:
                state = .answered(answer)
                return nil
            case .waiting(let continuation):
                state = .answered(answer)
                return continuation
            }
        }
        waiting?.resume(returning: answer)
    }
}
