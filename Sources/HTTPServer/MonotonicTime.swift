private import Glibc

/// Nanoseconds that never run backwards, from an arbitrary start.
package enum MonotonicTime {
    package static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// Whole nanoseconds, at most 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds > 0 ? .max / 2 : .min / 2 }
        return min(max(product, .min / 2), .max / 2) + attoseconds / 1_000_000_000
    }
}
