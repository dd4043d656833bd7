/// Whether a client that is waited for keeps a least rate, in one direction.
///
/// Time is cut into windows; in each so many bytes must move, however they are spread.
package struct ProgressMeter: Sendable, Hashable {
    /// The least rate, in bytes a second, averaged over a window.
    package static let bytesPerSecondMin = 1 << 10

    /// When the window ends; never while it is paused.
    package private(set) var deadline: Int64
    /// What is left of a paused window.
    private var rest: Int64?
    private let window: Int64
    /// What must have moved by then.
    private var goal: Int

    /// Begins the first window.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds on a monotonic clock.
    ///   - moved: How many bytes have moved so far, counted from anywhere.
    package init(window: Duration, now: Int64, moved: Int) {
        self.window = min(max(window.nanoseconds, 1), Int64.max / 4)
        deadline = now + self.window
        goal = moved
        raiseGoal(from: moved)
    }

    /// The client is not waited for until ``resume(now:)``: its window stands still.
    package mutating func pause(now: Int64) {
        guard rest == nil else { return }
        rest = max(1, deadline - now)
        deadline = .max
    }

    /// The window of a client that is waited for again goes on.
    package mutating func resume(now: Int64) {
        guard let rest else { return }
        deadline = now + rest
        self.rest = nil
    }

    /// Whether too little has moved by the end of a window; if not, the next window begins.
    package mutating func isTooSlow(now: Int64, moved: Int) -> Bool {
        guard now >= deadline else { return false }
        guard moved >= goal else { return true }
        deadline = now + window
        raiseGoal(from: moved)
        return false
    }

    private mutating func raiseGoal(from moved: Int) {
        let bytes = Double(window) / 1e9 * Double(Self.bytesPerSecondMin)
        goal = moved + max(1, Int(min(bytes, 1e15)))
    }
}
