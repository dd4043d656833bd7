/// When a client is cut: at the deadline of a phase, or when it keeps less than the least rate.
struct ClientDeadlines {
    /// Bytes of bodies that have come, and bytes that were sent, both counted from the beginning.
    struct Moved {
        var received: Int
        var sent: Int
    }

    private var phase: ConnectionPhase?
    private var phaseDeadline: Int64?
    /// Measure what the client sends, and what it takes, while it is waited for.
    private var input: ProgressMeter?
    private var output: ProgressMeter?

    /// Says what is waited for now. A new phase gets a new deadline; what was measured before and
    /// is still waited for goes on.
    ///
    /// - Parameters:
    ///   - hasBody: Whether a body is being read, also while the server makes its client wait.
    ///   - awaitsBody: Whether its client is waited for.
    mutating func settle(
        _ next: ConnectionPhase, hasBody: Bool, awaitsBody: Bool, awaitsReader: Bool, moved: Moved,
        now: Int64,
        _ deadlines: HTTPDeadlines
    ) {
        if next != phase {
            phase = next
            phaseDeadline = deadlines.wait(in: next).map {
                now + min($0.nanoseconds, Int64.max / 4)
            }
        }
        input =
            hasBody
            ? input ?? ProgressMeter(window: deadlines.body, now: now, moved: moved.received) : nil
        if awaitsBody { input?.resume(now: now) } else { input?.pause(now: now) }
        output =
            awaitsReader
            ? output ?? ProgressMeter(window: deadlines.write, now: now, moved: moved.sent) : nil
    }

    /// When to ask ``isOver(now:moved:)`` next; nil while the client is not waited for.
    var next: Int64? {
        [phaseDeadline, input?.deadline, output?.deadline].compactMap(\.self)
            .filter { $0 < .max }.min()
    }

    /// Whether the client is to be cut.
    mutating func isOver(now: Int64, moved: Moved) -> Bool {
        now >= phaseDeadline ?? .max || input?.isTooSlow(now: now, moved: moved.received) == true
            || output?.isTooSlow(now: now, moved: moved.sent) == true
    }
}
