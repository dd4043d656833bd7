import Basics

/// A request whose response has `retryAfter` is not sent again sooner.
///
/// Only an identical request counts: others may have been in flight. Time is measured by the server's clock and by the
/// monotonic one, and the longer counts, so a client may wait by either. Nine tenths of the time are enough.
struct RetryRule: ClientRule {
    private struct Wait {
        let number: Int
        let duration: Duration
        let from: Timestamp
        let fromUptime: Int64
    }

    private var waits = RecentValues<UInt64, Wait>(256)

    mutating func note(_ exchange: ClientExchange) -> [ClientBreach] {
        var breaches: [ClientBreach] = []
        if let wait = waits[exchange.digest] {
            waits[exchange.digest] = nil
            let waited = max(
                exchange.arrived.since(wait.from),
                .nanoseconds(exchange.arrivedUptime - wait.fromUptime))
            if waited < wait.duration * 9 / 10 {
                breaches.append(
                    ClientBreach(
                        .retriedEarly, in: exchange.place(nil),
                        requests: [wait.number, exchange.number],
                        "Request \(wait.number) was to be repeated after "
                            + "\(Self.seconds(wait.duration)) s, and came again as request "
                            + "\(exchange.number) after \(Self.seconds(max(.zero, waited))) s."))
            }
        }
        if let duration = exchange.failure?.retryAfter, duration > .zero {
            waits[exchange.digest] = Wait(
                number: exchange.number, duration: duration, from: exchange.answered,
                fromUptime: exchange.answeredUptime)
        }
        return breaches
    }

    /// Seconds with at most one digit after the point.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int(duration / .milliseconds(100))
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
