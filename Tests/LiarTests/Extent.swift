import Foundation

/// How much is run, as the environment says.
enum Extent {
    private static let environment = ProcessInfo.processInfo.environment

    /// `CKSWEEP_LONG`: 20,000 combinations.
    static let isLong = environment["CKSWEEP_LONG"] != nil
    /// `CKSWEEP_SANITIZED`: the program is many times slower, and less is run.
    static let isSanitized = environment["CKSWEEP_SANITIZED"] != nil
    /// `CKSWEEP_SEED=N` one combination again, `CKSWEEP_SEED=M-N` a range; nil: as many as usual.
    static let seeds: ClosedRange<UInt64>? = {
        let bounds = environment["CKSWEEP_SEED", default: ""].split(separator: "-")
            .compactMap { UInt64($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
        return first...last
    }()
    /// `CKSWEEP_LIAR_ROWS`: only rows with these words in their names.
    static let words = environment["CKSWEEP_LIAR_ROWS"]
    /// `CKSWEEP_LIAR_TALKS`: a line is printed for every run.
    static let talks = environment["CKSWEEP_LIAR_TALKS"] != nil

    /// All of them, or every twentieth.
    static func some<Thing>(_ things: [Thing]) -> [Thing] {
        guard isSanitized else { return things }
        return things.enumerated().filter { $0.offset % 20 == 0 }.map(\.element)
    }
}
