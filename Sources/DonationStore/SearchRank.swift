import Donations

/// Says how well a row answers a search: the better, the lower.
///
/// Texts are compared without regard to capitals and accents.
struct SearchRank {
    private let whole: [UInt8]
    private let words: [[UInt8]]

    /// A search for a text.
    init(_ text: String) {
        let words = QueryFullText.words(of: text).map { QueryFolding.bytes(of: $0) }
        self.words = words
        whole = Array(words.joined(separator: [0x20]))
    }

    /// 0: the name is the text. 1: it begins with it. 2: it has all its words. 3: it has words
    /// that begin with each. 4: it has them together with the keywords. 5: one of them is found
    /// in the description only.
    func tier(title: String?, displayName: String?, keywords: String?) -> Int {
        let names = [title, displayName].compactMap { $0.map { Self.words(of: $0) } }
        for name in names where Array(name.joined(separator: [0x20])) == whole { return 0 }
        for name in names
        where name.joined(separator: [0x20]).starts(with: whole) { return 1 }
        let nameWords = names.flatMap(\.self)
        if words.allSatisfy({ nameWords.contains($0) }) { return 2 }
        if has(all: words, in: nameWords) { return 3 }
        let more = nameWords + (keywords.map { Self.words(of: $0) } ?? [])
        return has(all: words, in: more) ? 4 : 5
    }

    private func has(all words: [[UInt8]], in others: [[UInt8]]) -> Bool {
        words.allSatisfy { word in others.contains { $0.starts(with: word) } }
    }

    /// The folded words of a text; every letter that is not ASCII counts as part of a word.
    private static func words(of text: String) -> [[UInt8]] {
        QueryFolding.bytes(of: text).split { byte in
            byte < 0x80 && byte &- 0x30 >= 10 && byte &- 0x61 >= 26
        }.map(Array.init)
    }
}
