import Testing

/// What a rehearsal printed, without the first line and the last, which say that it is one.
func unmarked(_ output: String) -> String {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    guard let mark = lines.first, mark.hasPrefix("REHEARSAL at ") else { return output }
    #expect(lines.count > 2 && lines[lines.count - 2] == mark, "the last line: \(output)")
    return lines.dropFirst().dropLast(2).map { $0 + "\n" }.joined()
}
