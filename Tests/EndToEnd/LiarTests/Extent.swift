import Foundation
import RandomSeeds

/// Which rows of the tables are run.
enum Extent {
    private static let environment = ProcessInfo.processInfo.environment

    /// `CKSWEEP_LIAR_ROWS`: only rows with these words in their names.
    static let words = environment["CKSWEEP_LIAR_ROWS"]
    /// `CKSWEEP_LIAR_TALKS`: a line is printed for every run.
    static let talks = environment["CKSWEEP_LIAR_TALKS"] != nil

    /// A quarter of `things`, all of them in a long run, a twentieth under a sanitizer.
    ///
    /// A digest of its name picks a row, not its place in a table: those are products of spots,
    /// moments and lies, and every fourth row of a product can be the same moment every time. The
    /// same rows are picked in every run.
    static func some<Thing>(_ things: [Thing], name: (Thing) -> String) -> [Thing] {
        let part = Seeds.count(4 as UInt64, long: 1, sanitized: 20)
        guard part > 1, words == nil else { return things }
        return things.filter { (digest(name($0)) >> 32) % part == 0 }
    }

    /// FNV-1a.
    private static func digest(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
