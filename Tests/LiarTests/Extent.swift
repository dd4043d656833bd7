import Foundation

/// How much is run, as the environment says.
enum Extent {
    private static let environment = ProcessInfo.processInfo.environment

    /// `CKSWEEP_LONG`: 20,000 combinations.
    static let isLong = environment["CKSWEEP_LONG"] != nil
    /// `CKSWEEP_SANITIZED`: the program is many times slower, and less is run.
    static let isSanitized = environment["CKSWEEP_SANITIZED"] != nil
    /// `CKSWEEP_SEED`: one combination again.
    static let seed = environment["CKSWEEP_SEED"].flatMap { UInt64($0) }
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
