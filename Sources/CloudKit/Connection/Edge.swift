import CloudModel
import Foundation

// An app hands this library neither a clock nor chance, so it takes the machine's: here only.

extension WallClock {
    /// The machine's clock.
    static let system = WallClock { Timestamp(Date()) }
}

extension Timestamp {
    /// The same moment in whole milliseconds; out-of-range dates become the nearest in range.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// The same moment.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

/// A new name for a record or a subscription.
func makeUniqueName() -> String { UUID().uuidString }

/// Chance, for the jitter of waits.
func makeSeed() -> UInt64 { .random(in: .min ... .max) }
