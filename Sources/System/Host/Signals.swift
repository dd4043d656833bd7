private import AsyncOperations
private import CShims
private import Glibc

/// Requests from outside to stop.
package protocol Signals: Sendable {
    /// Calls `body` on the first SIGINT (2) or SIGTERM (15) from now on; the one after it ends
    /// the process at once.
    func onStop(_ body: @escaping @Sendable (Int32) -> Void)
    /// Calls `body` on every SIGINT and SIGTERM from now on, and never ends the process.
    func forward(_ body: @escaping @Sendable (Int32) -> Void)
    /// From now on the next SIGINT or SIGTERM ends the process, as at the start.
    func endProcess()
    /// Calls `body` before a signal ends the process, to leave nothing behind; nil: nothing.
    func beforeEnd(_ body: (@Sendable () -> Void)?)
}

/// The signals of this process, taken by one thread; everybody else has them blocked.
package final class ProcessSignals: Signals {
    private enum Handling {
        case end
        case stop(@Sendable (Int32) -> Void)
        case forward(@Sendable (Int32) -> Void)
    }
    private let handling = Locked(Handling.end)
    private let lastAct = Locked<(@Sendable () -> Void)?>(nil)
    private let isEnding = Locked(false)

    /// Returns unless a signal is ending the process: that one's thread exits when it has tidied
    /// up, and nobody else may exit before.
    package func giveWayToEnd() {
        while isEnding.withLock({ $0 }) { pause() }
    }

    /// Begins to wait. Call it once, before other threads are there.
    package static func start() -> ProcessSignals {
        cksweep_block_signals()
        let signals = ProcessSignals()
        _ = DedicatedThread(label: "signals") { signals.loop() }
        return signals
    }

    package func onStop(_ body: @escaping @Sendable (Int32) -> Void) {
        handling.withLock { $0 = .stop(body) }
    }

    package func forward(_ body: @escaping @Sendable (Int32) -> Void) {
        handling.withLock { $0 = .forward(body) }
    }

    package func endProcess() { handling.withLock { $0 = .end } }

    package func beforeEnd(_ body: (@Sendable () -> Void)?) { lastAct.withLock { $0 = body } }

    private func loop() {
        while true {
            let signal = cksweep_wait_for_signal()
            let action: (@Sendable (Int32) -> Void)? = handling.withLock { handling in
                switch handling {
                case .end: return nil
                case .stop(let body):
                    handling = .end
                    return body
                case .forward(let body): return body
                }
            }
            guard let action else {
                isEnding.withLock { $0 = true }
                lastAct.withLock { $0 }?()
                // Not a moment later: others may make again what the last act has removed.
                cksweep_end_process(128 + signal)
            }
            action(signal)
        }
    }
}
