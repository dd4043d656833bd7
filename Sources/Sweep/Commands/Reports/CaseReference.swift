import CommandLine

/// What the operator calls a case, as it is printed on a report: their own word, which nobody checks.
struct CaseReference: Sendable, Hashable {
    /// Characters of a reference.
    static let charactersMax = 64

    let text: String

    /// - Throws: when the text is empty, longer than ``charactersMax``, or has anything in it that
    ///   does not show itself, such as the end of a line.
    init(_ text: String) throws(UsageError) {
        guard (1...Self.charactersMax).contains(text.count), Visible.text(text) == text,
            text.contains(where: { !$0.isWhitespace })
        else {
            throw UsageError(
                "--case takes 1 to \(Self.charactersMax) visible characters, such as DSR-2026-0117")
        }
        self.text = text
    }
}
