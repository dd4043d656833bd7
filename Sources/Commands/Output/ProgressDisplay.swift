import AsyncOperations
package import SweepEngine

/// Shows how a sweep goes: one live line on a terminal, a line every ten seconds elsewhere, and
/// an event for programs at once.
package final class ProgressDisplay: Sendable {
    private struct State {
        var line = ProgressLine()
        var isDrawn = false
        var isPaused = false
        var lastPlain: Duration = .zero
    }
    private let console: Console
    private let isLive: Bool
    private let began: Int64
    private let state = Locked(State())

    private static let plainEvery: Duration = .seconds(10)
    private static let liveEvery: Duration = .milliseconds(100)

    package init(_ console: Console) {
        self.console = console
        isLive = console.environment.terminal.errorsIsTerminal && !console.isQuiet
        began = console.environment.wallClock.now.milliseconds
    }

    private var elapsed: Duration {
        .milliseconds(console.environment.wallClock.now.milliseconds - began)
    }

    /// Takes in what happened; may be called from any thread.
    package func tell(_ event: SweepEvent) {
        let elapsed = elapsed
        state.withLock { $0.line.tell(event, at: elapsed) }
        if let event = SweepEvents.event(event) { console.event(event) }
        if console.isVerbose { describe(event) }
    }

    /// Runs `body` with the display kept up to date, and takes the line away afterwards.
    package func whileRunning<Value: Sendable>(
        _ body: @Sendable () async -> Value
    ) async -> Value {
        guard !console.isQuiet else { return await body() }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.tick() }
            let value = await body()
            group.cancelAll()
            await group.waitForAll()
            self.erase()
            return value
        }
    }

    /// Takes the live line away, for a question or a message.
    package func erase() {
        state.withLock { state in
            if state.isDrawn { console.environment.errors.write("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }

    /// Whether somebody is being asked something.
    package var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Runs `body`, a question say, with no live line in its way.
    package func paused<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        state.withLock { $0.isPaused = true }
        erase()
        let value = await body()
        state.withLock { $0.isPaused = false }
        return value
    }

    private func tick() async {
        while !Task.isCancelled {
            let pause = isLive ? Self.liveEvery : .seconds(1)
            try? await console.environment.clock.sleep(for: pause)
            if Task.isCancelled { return }
            draw()
        }
    }

    private func draw() {
        let elapsed = elapsed
        state.withLock { state in
            guard state.line.hasSomething, !state.isPaused else { return }
            if isLive {
                let width = (console.environment.terminal.width() ?? 80) - 1
                let text = state.line.text(at: elapsed, width: max(20, width))
                console.environment.errors.write("\r\(text)\u{1B}[K")
                state.isDrawn = true
            } else if elapsed - state.lastPlain >= Self.plainEvery {
                state.lastPlain = elapsed
                console.environment.errors.write(state.line.text(at: elapsed, width: 200) + "\n")
            }
        }
    }

    private static func words(_ counts: StepCounts) -> String {
        let parts = [
            (counts.deleted, "deleted"), (counts.alreadyGone, "already gone"),
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
            case .waiting(let container, let scope, let code, let wait, _):
                "\(container)/\(scope.rawValue): \(code.rawValue); again after "
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
