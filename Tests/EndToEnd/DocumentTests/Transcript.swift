/// What a page shows of a terminal, held against what was printed.
struct Transcript {
    struct Step {
        let command: String
        let expected: [String]
    }

    let steps: [Step]

    /// - Parameter text: Commands behind `$ `, each with what it prints.
    init(_ text: String) {
        var steps: [Step] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2)), expected: []))
            } else if let last = steps.popLast() {
                steps.append(Step(command: last.command, expected: last.expected + [String(line)]))
            }
        }
        self.steps = steps
    }

    /// Whether lines are as expected: `…` alone stands for any lines, in a line for anything, and what is
    /// new each time is not compared.
    static func fits(_ printed: [String], _ expected: [String]) -> Bool {
        fits(trimmed(printed)[...], trimmed(expected)[...])
    }

    private static func fits(_ printed: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool
    {
        guard let first = expected.first else { return printed.isEmpty }
        if first == "…" {
            return (printed.startIndex...printed.endIndex).contains { start in
                fits(printed[start...], expected.dropFirst())
            }
        }
        guard let line = printed.first, fits(line, first) else { return false }
        return fits(printed.dropFirst(), expected.dropFirst())
    }

    private static func fits(_ printed: String, _ expected: String) -> Bool {
        let parts = masked(expected).split(separator: "…", omittingEmptySubsequences: false)
        var rest = masked(printed)[...]
        for (index, part) in parts.enumerated() {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
            } else if index == parts.count - 1, !part.isEmpty {
                return rest.hasSuffix(part)
            } else if !part.isEmpty {
                guard let found = rest.firstRange(of: part) else { return false }
                rest = rest[found.upperBound...]
            }
        }
        return parts.count > 1 || rest.isEmpty
    }

    /// Without what is new each time: runs, digests, ports, moments, durations.
    private static func masked(_ line: String) -> String {
        var text = line
        text.replace(#/[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}/#, with: "RUN")
        text.replace(#/[0-9a-f]{8,}/#, with: "HEX")
        text.replace(#/localhost:[0-9]+/#, with: "localhost:PORT")
        text.replace(#/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/#, with: "MOMENT")
        text.replace(#/\b[0-9.]+ (ms|s)\b/#, with: "TIME")
        // Columns are as wide as what stands in them.
        text.replace(#/ +/#, with: " ")
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    private static func trimmed(_ lines: [String]) -> [String] {
        var lines = lines
        while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
        while lines.first?.allSatisfy({ $0 == " " }) == true { lines.removeFirst() }
        return lines
    }
}
