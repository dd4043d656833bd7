/// A condition in SQLite's full-text language that every match of something fulfils.
///
/// Built from quoted words only, so that nothing in a person's text is taken for syntax.
package struct QueryFullText: Sendable, Hashable {
    /// The `MATCH` expression.
    package let expression: String

    /// How many words of a search text count; the rest is passed over.
    package static let wordCountMax = 32
    /// How many scalars of a word count.
    package static let wordLengthMax = 256

    private init(_ expression: String) { self.expression = expression }

    /// Finds rows that hold every word of `text`, the last one at least as the beginning of a
    /// word, as somebody types; nil when the text has no word.
    package init?(words text: String) {
        let words = Self.words(of: text)
        guard !words.isEmpty else { return nil }
        expression = words.map(Self.quoted).joined(separator: " ") + " *"
    }

    /// Finds rows that hold every word of `text` as it is; nil when the text has no word.
    package init?(exactWords text: String) {
        let words = Self.words(of: text)
        guard !words.isEmpty else { return nil }
        expression = words.map(Self.quoted).joined(separator: " ")
    }

    /// The words of a search text that count.
    package static func words(of text: String) -> [String] {
        QueryFolding.words(of: text).prefix(wordCountMax).map {
            String(String.UnicodeScalarView($0.unicodeScalars.prefix(wordLengthMax)))
        }.filter(isIndexed)
    }

    /// What rows must hold to fulfil `predicate`; nil when only looking at each row can tell.
    ///
    /// - Parameter column: The full-text column of an attribute, nil for one that has none.
    package init?(
        for predicate: QueryPredicate, column: (String) -> String?
    ) {
        guard let expression = Self.expression(for: predicate, column) else { return nil }
        self.expression = expression
    }

    private static func expression(
        for predicate: QueryPredicate, _ column: (String) -> String?
    ) -> String? {
        switch predicate {
        case .comparison(let comparison): return expression(for: comparison, column)
        case .all(let parts):
            let known = parts.compactMap { expression(for: $0, column) }
            return known.isEmpty ? nil : "(" + known.joined(separator: " AND ") + ")"
        case .any(let parts):
            let known = parts.compactMap { expression(for: $0, column) }
            guard known.count == parts.count else { return nil }
            return "(" + known.joined(separator: " OR ") + ")"
        }
    }

    private static func expression(
        for comparison: QueryComparison, _ column: (String) -> String?
    ) -> String? {
        guard comparison.comparison == .equal, case .pattern(let pattern) = comparison.constant
        else { return nil }
        // What follows a wildcard can begin inside a word, which the index cannot find.
        let head = pattern.pieces[0]
        guard isIndexed(head) else { return nil }
        let phrase = quoted(head) + (pattern.pieces.count > 1 ? " *" : "")
        switch comparison.subject {
        case .searchableText: return phrase
        case .anything: return nil
        case .attribute(let name): return column(name).map { "\($0) : \(phrase)" }
        }
    }

    private static func quoted(_ text: String) -> String {
        "\""
            + text.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }

    /// Whether the index holds a word of `text` for sure. SQLite's tokenizer knows the letters
    /// and numbers of Unicode 6.1.
    private static func isIndexed(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .decimalNumber, .letterNumber, .otherNumber:
                guard let age = scalar.properties.age else { return false }
                return age.major < 6 || (age.major == 6 && age.minor <= 1)
            default: return false
            }
        }
    }
}
