import Donations

/// The beginning of a word that has more letters than the search tables have an index for.
///
/// For such a one a search table gathers every entry of every word that begins so, which are most
/// of what it has when one of these words is common, however few rows have the other words of the
/// search. What begins with fewer letters is read from an index together with the other words, and
/// of these few rows the letters are compared here.
struct SearchBeginning {
    /// What every row holds that has the words; a row that holds it may be another one.
    let wider: QueryFullText
    private let letters: [UInt8]

    /// The last word of a search text.
    ///
    /// Nil where nothing is won: when it is short enough for an index, or the only word. Nil too
    /// when it has other letters than those of ASCII, whose folding is SQLite's own.
    init?(_ text: String) {
        var words = QueryFullText.words(of: text)
        guard let last = words.popLast(), !words.isEmpty,
            last.utf8.count > SearchIndex.beginningMax, last.utf8.allSatisfy({ $0 < 0x80 }),
            let wider = QueryFullText(
                words: (words + [String(last.prefix(SearchIndex.beginningMax))])
                    .joined(separator: " "))
        else { return nil }
        self.wider = wider
        letters = QueryFolding.bytes(of: last)
    }

    /// Whether one of a row's texts has a word that begins so; nil: only its search table can tell.
    ///
    /// What a search table takes for a word is certain between ASCII's own letters and digits and
    /// the rest of ASCII. Beside anything else it may begin elsewhere or be folded.
    func begins(_ texts: [String]) -> Bool? {
        var isPlain = true
        for text in texts {
            // How many letters are the same so far; nil inside a word that is another one.
            var same: Int? = 0
            for byte in text.utf8 {
                if byte >= 0x80 {
                    isPlain = false
                    same = nil
                } else if !Self.isWordPart(byte) {
                    same = 0
                } else if let count = same {
                    same = letters[count] == Self.folded(byte) ? count + 1 : nil
                    if same == letters.count { return true }
                }
            }
        }
        return isPlain ? false : nil
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    private static func isWordPart(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || folded(byte) &- 0x61 < 26
    }
}
