import Testing

/// What a rehearsal printed, without the first line and the end, which say that it is one; a verdict at
/// the end stands in one line.
func unmarked(_ output: String) -> String {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    guard let mark = lines.first, mark.hasPrefix("REHEARSAL at ") else { return output }
    lines.removeFirst()
    #expect(lines.popLast() == "", "the end: \(output)")
    // With --quiet there is the end alone.
    guard !lines.isEmpty else { return "" }
    if lines.last == mark { return lines.dropLast().map { $0 + "\n" }.joined() }
    // A verdict may have been broken.
    var verdict = ""
    while let line = lines.popLast() {
        verdict = line.trimming(while: \.isWhitespace) + (verdict.isEmpty ? "" : " " + verdict)
        if !line.hasPrefix("  ") { break }
    }
    #expect(verdict.hasSuffix("; " + mark), "the last line: \(output)")
    return lines.map { $0 + "\n" }.joined() + verdict.dropLast(mark.count + 2) + "\n"
}

extension Substring {
    fileprivate func trimming(while isIn: (Character) -> Bool) -> String {
        String(drop(while: isIn))
    }
}

/// The text without its line breaks: each run of blanks is one.
func unbroken(_ output: String) -> String {
    output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
