import AsyncOperations
import Basics
package import CommandLine
import Configuration
package import SweepEngine

/// Shows how a sweep goes: one live line on a terminal, a line every ten seconds elsewhere, and
/// an event for programs at once.
package final class ProgressDisplay: Sendable {
    private let console: Console
    private let line: Locked<ProgressLine>
    private let live: LiveLine

    /// - Parameter host: Who is asked, for people.
    package init(_ console: Console, host: String) {
        self.console = console
        let line = Locked(ProgressLine(host: host))
        self.line = line
        live = LiveLine(console) { elapsed, width in
            line.withLock { $0.hasSomething ? $0.text(at: elapsed, width: width) : nil }
        }
    }

    /// Takes in what happened; may be called from any thread.
    package func tell(_ event: SweepEvent) {
        let elapsed = live.elapsed
        line.withLock { $0.tell(event, at: elapsed) }
        console.event { event.jsonLine($0) }
        if console.isVerbose { describe(event) }
    }

    /// Runs `body` with the display kept up to date, and takes the line away afterwards.
    package func whileRunning<Value: Sendable>(
        _ body: @Sendable () async -> Value
    ) async -> Value {
        await live.whileRunning(body)
    }

    /// Takes the live line away, for a question or a message.
    package func erase() { live.erase() }

    /// Whether somebody is being asked something.
    package var isPaused: Bool { live.isPaused }

    /// Runs `body`, a question say, with no live line in its way.
    package func paused<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        await live.paused(body)
    }

    private static func words(_ counts: StepCounts) -> String {
        let parts = [
            (counts.deleted, "deleted"), (counts.alreadyGone, "already deleted"),
            (counts.failed, "failed"),
        ].filter { $0.0 > 0 }.map { "\(TextTable.grouped($0.0)) \($0.1)" }
        // A default zone that the server will not delete whole: its records go one by one.
        return parts.isEmpty ? "the zone itself stays" : parts.joined(separator: ", ")
    }

    /// With `--verbose`: what happens, a line each.
    private func describe(_ event: SweepEvent) {
        let text: String? =
            switch event {
            case .phaseBegan(let phase): "\(phase.rawValue) begins"
            case .waiting(let container, let scope, let code, let wait, _, _):
                "\(container)/\(scope.rawValue): \(code.rawValue); retry in "
                    + DurationText.render(wait)
            case .stepEnded(let step, let counts):
                "\(step.container)/\(step.scope.rawValue): \(step.kind.rawValue): "
                    + Self.words(counts)
            case .passEnded(let pass):
                "verification pass \(pass.number): \(pass.left) found, \(pass.requests) requests"
            case .phaseEnded, .discovered, .unlisted, .planned, .approved, .stepBegan, .leftover,
                .progress:
                nil
            }
        guard let text else { return }
        erase()
        console.detail(text)
    }
}
