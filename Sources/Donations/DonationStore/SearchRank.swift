import Donations

/// Says how well a row answers a search: the better, the lower.
///
/// Texts are compared without regard to capitals and accents.
struct SearchRank {
    private let words: [ArraySlice<UInt8>]

    /// A search for a text.
    init(_ text: String) {
        words = QueryFullText.words(of: text).map { QueryFolding.bytes(of: $0)[...] }
    }

    /// 0: the name is the text. 1: it begins with it. 2: it has all its words. 3: it has words
    /// that begin with each. 4: it has them together with the keywords. 5: one of them is found
    /// in the description only.
    func tier(title: String?, displayName: String?, keywords: String?) -> Int {
        let names = [title, displayName].compactMap { $0.map { Self.words(of: $0) } }
        if names.contains(words) { return 0 }
        if names.contains(where: { isBeginning(of: $0) }) { return 1 }
        let nameWords = names.count == 1 ? names[0] : names.flatMap(\.self)
        if words.allSatisfy({ nameWords.contains($0) }) { return 2 }
        if hasAll(in: nameWords) { return 3 }
        let more = nameWords + (keywords.map { Self.words(of: $0) } ?? [])
        return hasAll(in: more) ? 4 : 5
    }

    /// Whether a name begins with the words, the last of which may go on there.
    private func isBeginning(of name: [ArraySlice<UInt8>]) -> Bool {
        guard let last = words.last, name.count >= words.count else { return false }
        return name[words.count - 1].starts(with: last)
            && name.starts(with: words.dropLast())
    }

    private func hasAll(in others: [ArraySlice<UInt8>]) -> Bool {
        words.allSatisfy { word in others.contains { $0.starts(with: word) } }
    }

    /// The folded words of a text; every letter that is not ASCII counts as part of a word.
    private static func words(of text: String) -> [ArraySlice<UInt8>] {
        QueryFolding.bytes(of: text).split { byte in
            byte < 0x80 && byte &- 0x30 >= 10 && byte &- 0x61 >= 26
        }
    }
}
