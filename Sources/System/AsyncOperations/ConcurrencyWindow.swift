/// How many operations of one key may run at once: slow start, then care.
///
/// Until the first throttle every success widens the window by one, so it doubles with each round
/// of answers (1, 2, 4, 8, 16). A throttle halves it; from then on it widens by one for each full
/// window of successes. Times count from the queue's start.
struct ConcurrencyWindow: Sendable {
    /// Longer waits are cut to this: about ten years, far from any overflow.
    static let waitMax = Duration.seconds(315_360_000)

    private(set) var size: Int
    /// Nothing of the key starts before this moment.
    private(set) var heldUntil = Duration.zero
    private let sizeMax: Int
    /// Above this size the window widens slowly.
    private var threshold: Int
    /// Successes since the last slow widening.
    private var credit = 0
    /// Operations in flight at the last halving that have not ended: one wave of throttles says
    /// the same thing many times, and counts once.
    private var sameWave = 0

    init(limits: QueueLimits) {
        size = limits.initialPerKey
        sizeMax = limits.perKey
        threshold = limits.perKey
    }

    /// Whether the key is held at `now`.
    func isHeld(_ now: Duration) -> Bool { heldUntil > now }

    /// A request of the key was accepted.
    mutating func succeeded(now: Duration) {
        guard size < sizeMax, !isHeld(now) else { return }
        if size < threshold {
            size += 1
        } else {
            credit += 1
            if credit >= size {
                credit = 0
                size += 1
            }
        }
    }

    /// A request of the key was refused for now; `running` counts it too.
    mutating func throttled(now: Duration, wait: Duration, running: Int) {
        if sameWave == 0, !isHeld(now) {
            size = max(1, size / 2)
            threshold = size
            credit = 0
            sameWave = running
        }
        heldUntil = max(heldUntil, now + min(max(wait, .zero), Self.waitMax))
    }

    /// An operation of the key ended.
    mutating func ended() { sameWave = max(0, sameWave - 1) }
}
