package import Basics
package import ClientLinter
import MockFaults

/// Limits the requests of each client. One that sends more is refused with a wait, which doubles with each refusal in a
/// row.
package struct RequestThrottle: Sendable {
    /// How many there can be.
    package struct Rate: Sendable, Hashable {
        /// 0: any number.
        package var perMinute = 0
        /// At once, before the rate counts.
        package var burst = 10

        package init() {}
    }

    /// The longest wait. Ours.
    package static let waitMax: Duration = .seconds(300)
    /// Clients whose requests are counted; those that have been silent longest go first.
    private static let clientsMax = 1000

    private struct Client: Sendable {
        var bucket: TokenBucket
        /// Refusals in a row.
        var refusals = 0
    }

    /// All counts begin anew when it changes.
    package var rate: Rate {
        didSet { if rate != oldValue { clients = RecentValues(Self.clientsMax) } }
    }
    private var clients = RecentValues<ClientName, Client>(RequestThrottle.clientsMax)

    package init(_ rate: Rate = Rate()) { self.rate = rate }

    /// Counts a request, or returns how long its client has to wait.
    package mutating func take(_ name: ClientName, now: Timestamp) -> Duration? {
        guard rate.perMinute > 0 else { return nil }
        var client =
            clients[name]
            ?? Client(
                bucket: TokenBucket(
                    perSecond: Double(rate.perMinute) / 60, burst: Double(rate.burst)))
        defer { clients[name] = client }
        guard let wait = client.bucket.take(now: now) else {
            client.refusals = 0
            return nil
        }
        // Ten times twice as long is more than the longest.
        let factor = 1 << min(client.refusals, 10)
        client.refusals += 1
        return min(Self.waitMax, max(.seconds(1), wait) * factor)
    }
}
