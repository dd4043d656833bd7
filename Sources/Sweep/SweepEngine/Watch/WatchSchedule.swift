package import Basics
package import Evidence
import JSON
import Journal

/// When a run is looked at again: at its beginning and then at equal distances, until it is over.
///
/// A value: what comes next follows from it and the time. Looks that nobody made are not made up for.
package struct WatchSchedule: Sendable, Hashable {
    package static let everyMin: Duration = .seconds(60)
    package static let lengthMax: Duration = .seconds(366 * 86_400)

    package let began: Timestamp
    /// At least ``everyMin``.
    package let every: Duration
    /// The last moment of a look.
    package let until: Timestamp
    /// When the next look is due; nil: the schedule is over.
    package private(set) var next: Timestamp?
    /// Looks that came to their end.
    package private(set) var looks = 0
    /// When the last of them was.
    package private(set) var lastLook: Timestamp?
    /// The worst that any of them found; nil: there was none yet.
    package private(set) var worst: LookFacts.Found?

    /// - Precondition: `every` is at least ``everyMin``, and `length` at most ``lengthMax``.
    package init(from began: Timestamp, for length: Duration, every: Duration) {
        precondition(every >= Self.everyMin && length <= Self.lengthMax, "a schedule out of bounds")
        self.began = began
        self.every = every
        until = began.advanced(by: length)
        next = began
    }

    /// How many looks there are in all.
    package var looksInAll: Int {
        Int((until.milliseconds - began.milliseconds) / every.wholeMilliseconds) + 1
    }

    /// The time until the next look, zero when it is due; nil: the schedule is over.
    package func wait(at now: Timestamp) -> Duration? {
        next.map { max(.zero, $0.since(now)) }
    }

    /// Takes note of a look: the next is the first of the schedule that is still to come.
    package mutating func looked(at moment: Timestamp, _ found: LookFacts.Found) {
        looks += 1
        lastLook = moment
        worst = max(worst ?? found, found)
        let step = every.wholeMilliseconds
        let passed = max(0, moment.milliseconds - began.milliseconds) / step
        let following = began.milliseconds + (passed + 1) * step
        next = following <= until.milliseconds ? Timestamp(milliseconds: following) : nil
    }

    // MARK: On disk

    /// The note of the watched run that keeps it; it goes when the run is forgotten.
    static let note = "watch"

    var json: [UInt8] {
        EventValue.object([
            ("began", .number(began.milliseconds)), ("every", .number(every.wholeMilliseconds)),
            ("lastLook", .optional(lastLook)), ("looks", .number(Int64(looks))),
            ("next", .optional(next)), ("until", .number(until.milliseconds)),
            ("worst", .optional(worst?.rawValue)),
        ]).bytes()
    }

    /// - Throws: `corrupt`: a schedule that cannot be read is none that is over.
    init(json bytes: [UInt8]) throws(JournalError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument.parse(bytes).root
        } catch {
            throw Self.damaged
        }
        func time(_ key: String) -> Timestamp? {
            root[key]?.int64.map { Timestamp(milliseconds: $0) }
        }
        guard let began = time("began"), let until = time("until"),
            let step = root["every"]?.int64, .milliseconds(step) >= Self.everyMin,
            let looks = root["looks"]?.int64, looks >= 0, began <= until,
            until.since(began) <= Self.lengthMax
        else { throw Self.damaged }
        worst = root["worst"]?.string.flatMap { LookFacts.Found(rawValue: $0) }
        guard (worst == nil) == (looks == 0) else { throw Self.damaged }
        self.began = began
        self.until = until
        every = .milliseconds(step)
        next = time("next")
        self.looks = Int(clamping: looks)
        lastLook = time("lastLook")
    }

    private static let damaged = JournalError(.corrupt, "the schedule of a watch is damaged")
}
