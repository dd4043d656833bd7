/// Counts what a client makes the server do for nothing: pings, settings, streams reset, empty
/// frames. A bucket of allowances that time and finished requests refill.
///
/// - SeeAlso: CVE-2019-9512 to 9518 and CVE-2023-44487 (rapid reset).
package struct FloodMeter: Sendable {
    /// How many such frames in a row are borne.
    package static let burstMax = 400
    /// How many more each second brings.
    package static let perSecond = 20
    /// How many more each request brings that was answered to its end.
    package static let perAnswer = 2

    private var spent = 0
    private var refilledAt: Int64

    /// - Parameter now: Nanoseconds on a monotonic clock.
    package init(now: Int64) { refilledAt = now }

    /// Counts one frame; false when it is one too many.
    package mutating func charge(now: Int64) -> Bool {
        let seconds = (now - refilledAt) / 1_000_000_000
        if seconds > 0 {
            refilledAt += seconds * 1_000_000_000
            spent = max(0, spent - Int(min(seconds, 60)) * Self.perSecond)
        }
        spent += 1
        return spent <= Self.burstMax
    }

    /// Counts a request that was answered to its end.
    package mutating func credit() { spent = max(0, spent - Self.perAnswer) }
}
