import AsyncOperations

/// One line that is kept up to date: redrawn on a terminal, a new one every ten seconds elsewhere.
package final class LiveLine: Sendable {
    private struct State {
        var isDrawn = false
        var isPaused = false
        var lastPlain: Duration = .zero
    }
    private let console: Console
    private let isLive: Bool
    private let began: Int64
    private let text: @Sendable (_ elapsed: Duration, _ width: Int) -> String?
    private let state = Locked(State())

    private static let plainEvery: Duration = .seconds(10)
    private static let liveEvery: Duration = .milliseconds(100)

    /// - Parameter text: The line for a width; nil: there is nothing to say yet.
    package init(_ console: Console, text: @escaping @Sendable (Duration, Int) -> String?) {
        self.console = console
        self.text = text
        // A dumb terminal takes no line back.
        isLive =
            console.environment.terminal.errorsIsTerminal
            && console.environment.variable("TERM") != "dumb"
        began = console.environment.wallClock.now.milliseconds
    }

    /// Since this value was made.
    package var elapsed: Duration {
        .milliseconds(console.environment.wallClock.now.milliseconds - began)
    }

    /// Whether somebody is being asked something.
    package var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Runs `body` with the line kept up to date, and takes it away afterwards.
    package func whileRunning<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
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

    /// Takes the line away, for a question or a message.
    package func erase() {
        state.withLock { state in
            if state.isDrawn { console.environment.errors.write("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }

    /// Runs `body`, a question say, with no line in its way.
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
        let width = isLive ? max(20, (console.environment.terminal.width() ?? 80) - 1) : 200
        guard let text = text(elapsed, width) else { return }
        state.withLock { state in
            guard !state.isPaused else { return }
            if isLive {
                console.environment.errors.write("\r\(text)\u{1B}[K")
                state.isDrawn = true
            } else if elapsed - state.lastPlain >= Self.plainEvery {
                state.lastPlain = elapsed
                console.environment.errors.write(text + "\n")
            }
        }
    }
}
