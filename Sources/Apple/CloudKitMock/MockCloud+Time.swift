public import Foundation
import JSON

extension MockCloud {
    /// What the service does later than the request that caused it, or by itself.
    public enum ServiceEvent: String, Sendable, Hashable, CaseIterable {
        /// Records of default zones whose target is deleted are deleted too.
        case finishCascades = "finish-cascades"
        /// Queries find what was written.
        case updateIndexes = "update-indexes"
        /// Lists of zones no longer contain deleted ones.
        case updateZoneLists = "update-zone-lists"
        /// Requests no longer find deleted zones.
        case finishZoneDeletions = "finish-zone-deletions"
        /// Pushes that are held back are delivered.
        case deliverPushes = "deliver-pushes"
        /// Earlier deletions of records are removed from the feeds.
        case compact
        /// Change tokens expire.
        case expireTokens = "expire-tokens"
    }

    /// What the service's clock shows.
    public func now() async throws -> Date {
        Self.date(try await world.ask(.get, "clock"))
    }

    /// Has the service's clock stand still.
    ///
    /// - Parameter moment: What it then shows; nil: what it shows now.
    public func freezeClock(at moment: Date? = nil) async throws {
        _ = try await world.ask(.put, "clock") { writer in
            writer.member("mode", "frozen")
            writer.member("milliseconds", moment.map(Self.milliseconds))
        }
    }

    /// Sets the service's clock back to the machine's.
    public func useRealClock() async throws {
        _ = try await world.ask(.put, "clock") { $0.member("mode", "real") }
    }

    /// Moves the service's clock on: tokens, addresses of assets and throttles grow old by it.
    ///
    /// Containers of this cloud that were asked to wait have waited then.
    ///
    /// - Parameter time: At most a hundred years; a negative one sets the clock back, and ends no wait.
    /// - Returns: What it shows then.
    @discardableResult
    public func advanceClock(by time: Duration) async throws -> Date {
        let (seconds, rest) = time.components
        let whole = Double(seconds) * 1000 + Double(rest) / 1e15
        guard let milliseconds = Int64(exactly: whole.rounded()) else {
            throw MockCloudError("the clock moves by a hundred years at most")
        }
        let answer = try await world.ask(.post, "clock/advance") {
            $0.member("milliseconds", milliseconds)
        }
        if time > .zero { clock.move(by: time) }
        return Self.date(answer)
    }

    /// Has something happen in the service.
    ///
    /// - Parameters:
    ///   - event: What happens. The service does pending work by itself, unless the setting `async` is `manual`.
    ///   - count: How many zones, records or pushes of pending work; nil: all. Not for ``ServiceEvent/compact`` and
    ///     ``ServiceEvent/expireTokens``.
    /// - Returns: How many things changed.
    @discardableResult
    public func simulate(_ event: ServiceEvent, count: Int? = nil) async throws -> Int {
        let answer = try await world.ask(.post, "simulate") { writer in
            writer.member("event", event.rawValue)
            writer.member("count", count)
        }
        return Int(answer.root["changed"]?.int64 ?? 0)
    }

    private static func date(_ answer: JSONDocument) -> Date {
        Date(timeIntervalSince1970: Double(answer.root["milliseconds"]?.int64 ?? 0) / 1000)
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? .max
    }
}
