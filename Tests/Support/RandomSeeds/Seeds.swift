import Foundation

/// Which seeds a random test uses, and how much it does.
///
/// A run uses the same seeds as every other run, 1 and up, so that a change never fails for a
/// reason that it did not cause. The environment can ask for others:
///
/// | Variable | Effect |
/// |---|---|
/// | `CKSWEEP_SEED=N` or `M-N` | only these seeds: repeats a failure |
/// | `CKSWEEP_LONG=1` | many more seeds |
/// | `CKSWEEP_FIRST_SEED=N` | starts at N, not at 1; `scripts/test --long` draws N and prints it |
/// | `CKSWEEP_SANITIZED=1` | fewer seeds: the program is many times slower |
///
/// Each list is printed as a line that starts with `seeds`.
package enum Seeds {
    private static let variables = ProcessInfo.processInfo.environment

    package static let isLong = variables["CKSWEEP_LONG"] != nil
    package static let isSanitized = variables["CKSWEEP_SANITIZED"] != nil

    /// The seeds that `CKSWEEP_SEED` asks for; `nil` if the variable is not set.
    ///
    /// A value that is no range ends the test program: other seeds than those that were asked for
    /// would look like a failure that does not repeat.
    private static let requested: ClosedRange<UInt64>? = {
        guard let text = variables["CKSWEEP_SEED"] else { return nil }
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = bounds.compactMap { UInt64($0) }
        guard numbers.count == bounds.count, let first = numbers.first, let last = numbers.last,
            numbers.count <= 2, first <= last
        else { fatalError("CKSWEEP_SEED=\(text) is not a seed or a range. Write 7 or 1-2000.") }
        return first...last
    }()

    private static let first = variables["CKSWEEP_FIRST_SEED"].flatMap(UInt64.init)

    /// `ordinary` in a test run, `long` with `CKSWEEP_LONG`, `sanitized` under a sanitizer.
    package static func count<Number: BinaryInteger>(
        _ ordinary: Number, long: Number, sanitized: Number? = nil
    ) -> Number {
        if isSanitized { return sanitized ?? ordinary }
        return isLong ? long : ordinary
    }

    /// The seeds of the test that `name` describes.
    ///
    /// - Parameter start: The first seed where the environment names none. Not 1 where other seeds
    ///   cover more of what can happen.
    package static func range(
        _ name: String, _ ordinary: UInt64, from start: UInt64 = 1, long: UInt64,
        sanitized: UInt64? = nil
    ) -> ClosedRange<UInt64> {
        let first = first ?? start
        let seeds =
            requested
            ?? first...(first + count(ordinary, long: long, sanitized: sanitized) - 1)
        print("seeds \(name): \(seeds.lowerBound)-\(seeds.upperBound)")
        return seeds
    }

    /// The same in up to `parts` ranges, for a test that runs them side by side.
    package static func ranges(
        _ name: String, _ ordinary: UInt64, long: UInt64, sanitized: UInt64? = nil, parts: UInt64
    ) -> [ClosedRange<UInt64>] {
        let seeds = range(name, ordinary, long: long, sanitized: sanitized)
        let count = UInt64(seeds.count)
        return (0..<parts).compactMap { part in
            let (begin, end) = (part * count / parts, (part + 1) * count / parts)
            return begin < end ? (seeds.lowerBound + begin)...(seeds.lowerBound + end - 1) : nil
        }
    }

    /// The one seed of the test that `name` describes.
    package static func one(_ name: String) -> UInt64 { range(name, 1, long: 1).lowerBound }
}
