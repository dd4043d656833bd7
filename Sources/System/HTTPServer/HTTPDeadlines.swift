private import Glibc

/// How long clients may keep the server waiting; then they are cut.
package struct HTTPDeadlines: Sendable, Hashable {
    /// From accept to the end of the TLS handshake.
    package var handshake: Duration = .seconds(10)
    /// From the first byte of a request to the end of its header fields.
    package var headers: Duration = .seconds(10)
    /// In each such time of waiting for bodies, a KiB must come for each second; see
    /// ``ProgressMeter``.
    package var body: Duration = .seconds(30)
    /// Between two requests.
    package var idle: Duration = .seconds(75)
    /// In each such time of waiting for a client to take what is sent, it must take a KiB for each
    /// second.
    package var write: Duration = .seconds(30)

    /// How long a client may take to close after its last answer.
    private static let linger: Duration = .seconds(2)

    package init() {}

    /// How long a phase may last; nil while the client is not waited for.
    func wait(in phase: ConnectionPhase) -> Duration? {
        switch phase {
        case .handshake: handshake
        case .idle: idle
        case .headers: headers
        case .busy: nil
        case .lingering: Self.linger
        }
    }
}

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
