package import HTTPServer

/// Timers on the server's clock: for responses that a fault delays, and requests that wait for pushes.
///
/// They run at the clock's rate: that of the real time, or of a scaled clock. Advancing the clock ends the waits that
/// are over then. A frozen clock, and one that is set to another time, does not change them.
package final class PacedTimers {
    /// A timer, until it has fired.
    package struct ID: Hashable, Sendable { fileprivate let number: UInt64 }

    private struct Timer {
        /// On the timers' own time.
        let due: Duration
        var scheduled: HTTPLoop.TimerID
        let body: (HTTPLoop) -> Void
    }

    private var timers: [UInt64: Timer] = [:]
    private var lastNumber: UInt64 = 0
    /// The timers' own time, and the loop's when it was this.
    private var time = Duration.zero
    private var asOf = Duration.zero
    private var pace = 1.0
    private var advanced: Int64 = 0

    package init() {}

    /// How many are scheduled.
    package var count: Int { timers.count }

    /// Runs `body` on the loop when a time has passed on the server's clock.
    @discardableResult
    package func schedule(
        after delay: Duration, _ loop: HTTPLoop, _ body: @escaping (HTTPLoop) -> Void
    ) -> ID {
        catchUp(loop)
        lastNumber += 1
        let number = lastNumber
        let due = time + delay
        timers[number] = Timer(due: due, scheduled: start(number, due: due, loop), body: body)
        return ID(number: number)
    }

    /// Cancels a timer that has not fired.
    package func cancel(_ id: ID, _ loop: HTTPLoop) {
        guard let timer = timers.removeValue(forKey: id.number) else { return }
        loop.cancel(timer.scheduled)
    }

    /// Takes over the clock's rate; timers that are due since it was advanced fire soon.
    func follow(_ clock: ServerClock, _ loop: HTTPLoop) {
        let setting = clock.setting
        guard setting.pace != pace || setting.advanced != advanced else { return }
        catchUp(loop)
        time += .milliseconds(max(0, setting.advanced - advanced))
        (pace, advanced) = (setting.pace, setting.advanced)
        // In the order in which they are due: timers of one moment fire in the order of their creation.
        for (number, timer) in timers.sorted(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        ) {
            loop.cancel(timer.scheduled)
            timers[number]?.scheduled = start(number, due: timer.due, loop)
        }
    }

    private func catchUp(_ loop: HTTPLoop) {
        time += (loop.now - asOf) * pace
        asOf = loop.now
    }

    private func start(_ number: UInt64, due: Duration, _ loop: HTTPLoop) -> HTTPLoop.TimerID {
        loop.schedule(after: max(.zero, due - time) / pace) { [weak self] loop in
            guard let timer = self?.timers.removeValue(forKey: number) else { return }
            timer.body(loop)
        }
    }
}
