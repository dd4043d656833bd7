public import Foundation
import JSON

extension MockCloud {
    /// What the service does later than the request that it follows from.
    public enum Tick: String, Sendable, Hashable, CaseIterable {
        /// Records of default zones whose target is deleted are deleted too.
        case defaultZoneCascade
        /// Queries find what was written.
        case indexLag
        /// Lists of zones no longer contain deleted ones.
        case zoneListLag
        /// Requests no longer find deleted zones.
        case zoneDeletion
        /// Pushes that are held back go out.
        case push
        /// The feeds forget deletions of records.
        case tombstoneCompaction
        /// Change tokens expire.
        case tokenExpiry
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

    /// Has the service do now what waits; by itself it does so where nothing else was set.
    ///
    /// - Parameters:
    ///   - tick: What it is to do.
    ///   - count: How much of it; nil: all.
    /// - Returns: How much was done.
    @discardableResult
    public func tick(_ tick: Tick, count: Int? = nil) async throws -> Int {
        let answer = try await world.ask(.post, "tick") { writer in
            writer.member("what", tick.rawValue)
            writer.member("count", count)
        }
        return Int(answer.root["done"]?.int64 ?? 0)
    }

    private static func date(_ answer: JSONDocument) -> Date {
        Date(timeIntervalSince1970: Double(answer.root["milliseconds"]?.int64 ?? 0) / 1000)
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? .max
    }
}
