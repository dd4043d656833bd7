import Basics
import FileSystem
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

    /// The same moment in whole milliseconds; nil for a date that is not finite or out of range.
    init?(storable date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let exact = Int64(exactly: milliseconds) else { return nil }
        self.init(milliseconds: exact)
    }

    /// The same moment.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension CloudConnection {
    /// Where a process keeps its state that says nothing else; nil: its user has no home.
    static var usualStateFolder: String? {
        let variables = ProcessInfo.processInfo.environment
        if let base = variables["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/cloudkit" }
        return variables["HOME"].flatMap {
            $0.hasPrefix("/") ? $0 + "/.local/state/cloudkit" : nil
        }
    }
}

extension Files {
    /// A path taken from the process's working folder.
    static func absolutePath(_ path: String) -> String {
        Files(workingFolder: currentFolder).absolute(path)
    }
}

/// A new name for a record or a subscription.
func makeUniqueName() -> String { UUID().uuidString }

/// Chance, for the jitter of waits.
func makeSeed() -> UInt64 { .random(in: .min ... .max) }
