/// What happened in a run: a digest always, the last lines when somebody wants to read them.
///
/// Two runs of one seed have the same digest, or the simulation is not deterministic.
struct SimJournal {
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var steps = 0
    /// Lines kept; 0: none are made.
    let linesMax: Int
    private(set) var lines: [String] = []

    init(linesMax: Int = 0) { self.linesMax = linesMax }

    mutating func nextStep() { steps += 1 }

    /// Notes an event by numbers, and by words when lines are kept.
    mutating func note(
        _ numbers: UInt64..., words: @autoclosure () -> String
    ) {
        for number in numbers {
            digest = (digest ^ number) &* 0x100_0000_01B3
            digest ^= digest >> 29
        }
        guard linesMax > 0 else { return }
        if lines.count >= linesMax * 2 { lines.removeFirst(linesMax) }
        lines.append("\(steps): \(words())")
    }

    /// The last lines.
    var tail: String { lines.suffix(linesMax).joined(separator: "\n") }
}
