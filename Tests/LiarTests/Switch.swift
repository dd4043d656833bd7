import Foundation

/// Whether the liar is let loose: the one place that says so.
enum Switch {
    static let isOn = ProcessInfo.processInfo.environment["CKSWEEP_LIAR"] != nil
}
