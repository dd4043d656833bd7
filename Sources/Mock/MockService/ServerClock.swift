import AsyncOperations
package import Basics

/// The server's time: the real one moved by an offset, one that stands still, or one that goes faster or
/// slower than the real one.
package final class ServerClock: Sendable {
    /// How the clock advances.
    package enum Mode: String, Sendable, CaseIterable {
        case real
        case frozen
        case scaled
    }

    /// What it was set to.
    package struct Setting: Equatable {
        package fileprivate(set) var mode = Mode.real
        /// Seconds by which it advances in one second of the real time; 1 unless it is scaled.
        package fileprivate(set) var rate = 1.0
        /// What it showed when the real time was `since`; of a real one, its offset.
        package fileprivate(set) var shown: Int64 = 0
        package fileprivate(set) var since: Int64 = 0
        /// By how much it was moved on, in milliseconds, over all of its life.
        package var advanced: Int64 = 0

        /// What a clock can have been set to, with all that it was moved by.
        package static let times: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

        /// A clock that shows the real time.
        package init() {}

        /// - Parameters:
        ///   - shown: What it showed when the real time was `since`, in milliseconds within ``times``.
        ///   - since: In milliseconds within ``times``.
        /// - Throws: ``MockError`` if the mode does not allow the rate.
        package init(mode: Mode, rate: Double, shown: Int64, since: Int64) throws(MockError) {
            guard mode == .scaled ? ServerClock.rates.contains(rate) : rate == 1 else {
                throw MockError("a scaled clock has a rate from 0.001 to 86400, others 1")
            }
            (self.mode, self.rate, self.shown, self.since) = (mode, rate, shown, since)
        }

        fileprivate func time(at real: Int64) -> Int64 {
            let passed =
                switch mode {
                case .real: real &- since
                case .frozen: Int64(0)
                case .scaled:
                    // Beyond any time that there is, but no number too large.
                    Int64(max(-9e18, min(9e18, (Double(real &- since) * rate).rounded(.down))))
                }
            let (time, overflow) = shown.addingReportingOverflow(passed)
            return overflow ? Timestamp.last.milliseconds : time
        }

        /// What passes for those who wait while a second passes outside. A frozen clock lets them wait as
        /// long as a real one does.
        var pace: Double { mode == .scaled ? rate : 1 }
    }

    /// About a hundred years, in milliseconds.
    package static let stepMax: Int64 = 100 * 366 * 86_400_000
    /// What a scaled clock may go by: from a thousandth to a day in a second.
    package static let rates = 0.001...86_400
    private static let times = 0...Timestamp.last.milliseconds

    private let base: WallClock
    private let state = Locked(Setting())
    /// A clock that shows what `base` shows, until it is set.
    package init(_ base: WallClock) { self.base = base }

    package var now: Timestamp {
        let real = base.now.milliseconds
        let time = state.withLock { $0.time(at: real) }
        return Timestamp(
            milliseconds: max(Self.times.lowerBound, min(Self.times.upperBound, time)))
    }

    package var mode: Mode { state.withLock { $0.mode } }

    /// Seconds by which a scaled clock advances in one second of the real time; 1 for any other.
    package var rate: Double { state.withLock { $0.rate } }

    /// What it was set to, to be put back.
    package var setting: Setting {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// For what must see this clock's time and nothing else of it.
    package var wallClock: WallClock { WallClock { self.now } }

    /// Sets the time, and how it advances from there.
    ///
    /// - Parameter rate: Of a scaled clock, within ``rates``; of others nothing.
    /// - Throws: ``MockError`` where there is no such time or rate; nothing has changed then.
    package func set(_ moment: Timestamp, mode: Mode, rate: Double? = nil) throws(MockError) {
        guard Self.times.contains(moment.milliseconds) else {
            throw MockError("the clock's time must be from 1970 to 9999")
        }
        guard mode == .scaled || rate == nil else {
            throw MockError("only a scaled clock has a rate; add \"mode\": \"scaled\"")
        }
        guard mode != .scaled || rate.map(Self.rates.contains) ?? false else {
            throw MockError("a scaled clock needs a rate from 0.001 to 86400")
        }
        let real = base.now.milliseconds
        state.withLock {
            ($0.mode, $0.rate) = (mode, rate ?? 1)
            ($0.shown, $0.since) = (moment.milliseconds, real)
        }
    }

    /// Back to the real time. What was waited for by ``advance(milliseconds:)`` stays waited for.
    package func reset() {
        state.withLock {
            let advanced = $0.advanced
            $0 = Setting()
            $0.advanced = advanced
        }
    }

    /// Moves the time, also of a frozen clock; at most by a hundred years either way.
    ///
    /// - Throws: ``MockError`` where there is no such time; nothing has changed then.
    package func advance(milliseconds: Int64) throws(MockError) {
        guard (-Self.stepMax...Self.stepMax).contains(milliseconds) else {
            throw MockError("the clock moves by a hundred years at most")
        }
        let real = base.now.milliseconds
        let isDone = state.withLock { setting in
            let time = setting.time(at: real).addingReportingOverflow(milliseconds)
            guard !time.overflow, Self.times.contains(time.partialValue) else { return false }
            setting.shown += milliseconds
            setting.advanced &+= max(0, milliseconds)
            return true
        }
        guard isDone else {
            throw MockError("the clock's time would no longer be between 1970 and 9999")
        }
    }
}
