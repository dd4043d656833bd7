/// A text to compare with, in which `*` stands for anything.
package struct QueryPattern: Sendable, Hashable {
    /// How texts are compared: the letters after the closing quote.
    package struct Modifiers: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        /// Makes a set from its bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// `c`: capital and small letters are alike.
        package static let caseInsensitive = Modifiers(rawValue: 1)
        /// `d`: letters with and without accents are alike.
        package static let diacriticInsensitive = Modifiers(rawValue: 2)
        /// `w`: the pattern is looked for at the words of the value, not only in all of it.
        package static let wordBased = Modifiers(rawValue: 4)
    }

    /// The pieces between the wildcards; one piece means that there is no wildcard.
    package let pieces: [String]
    /// How texts are compared.
    package let modifiers: Modifiers
    private let foldedPieces: [[UInt8]]

    /// Makes a pattern of the pieces between its wildcards.
    package init(pieces: [String], modifiers: Modifiers = []) {
        precondition(!pieces.isEmpty, "a pattern has at least one piece")
        self.pieces = pieces
        self.modifiers = modifiers
        foldedPieces = pieces.map { Self.folded($0, modifiers) }
    }

    /// Whether there is neither a wildcard nor a modifier.
    package var isLiteral: Bool { pieces.count == 1 && modifiers.isEmpty }
    /// The pattern without its wildcards.
    package var literal: String { pieces.joined() }

    /// Whether a value fits the pattern.
    package func matches(_ value: String) -> Bool {
        let folded = Self.folded(value, modifiers)
        guard modifiers.contains(.wordBased) else {
            return Self.fits(foldedPieces, folded[...])
        }
        // Every place where a word begins, to every place where one ends.
        let (starts, ends) = Self.wordEdges(folded)
        let beginsFree = foldedPieces.count > 1 && foldedPieces[0].isEmpty
        let endsFree = foldedPieces.count > 1 && foldedPieces[foldedPieces.count - 1].isEmpty
        if beginsFree && endsFree { return Self.fits(foldedPieces, folded[...]) }
        if beginsFree { return ends.contains { Self.fits(foldedPieces, folded[..<$0]) } }
        if endsFree { return starts.contains { Self.fits(foldedPieces, folded[$0...]) } }
        if foldedPieces.count == 1 {
            let count = foldedPieces[0].count
            let isEnd = Set(ends)
            return starts.contains {
                isEnd.contains($0 + count) && folded[$0..<($0 + count)] == foldedPieces[0][...]
            }
        }
        return starts.contains { start in
            ends.contains { $0 > start && Self.fits(foldedPieces, folded[start..<$0]) }
        }
    }

    /// Whether the pieces come in this order, the first at the start and the last at the end.
    private static func fits(_ pieces: [[UInt8]], _ value: ArraySlice<UInt8>) -> Bool {
        let first = pieces[0]
        guard pieces.count > 1 else { return value.elementsEqual(first) }
        let last = pieces[pieces.count - 1]
        guard value.count >= first.count + last.count, value.starts(with: first),
            value.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = value.dropFirst(first.count).dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let end = end(of: piece, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// Where the first occurrence of `piece` ends; nil when there is none.
    private static func end(of piece: [UInt8], in value: ArraySlice<UInt8>) -> Int? {
        var start = value.startIndex
        while value.endIndex - start >= piece.count {
            guard let found = value[start...].firstIndex(of: piece[0]),
                value.endIndex - found >= piece.count
            else { return nil }
            if value[found..<(found + piece.count)] == piece[...] { return found + piece.count }
            start = found + 1
        }
        return nil
    }

    private static func folded(_ text: String, _ modifiers: Modifiers) -> [UInt8] {
        QueryFolding.bytes(
            of: text, caseInsensitive: modifiers.contains(.caseInsensitive),
            diacriticInsensitive: modifiers.contains(.diacriticInsensitive))
    }

    /// The byte offsets where words begin and where they end.
    private static func wordEdges(_ bytes: [UInt8]) -> (starts: [Int], ends: [Int]) {
        var starts: [Int] = []
        var ends: [Int] = []
        var offset = 0
        var inWord = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let isPart = QueryFolding.isWordPart(scalar)
            if isPart != inWord {
                if isPart { starts.append(offset) } else { ends.append(offset) }
                inWord = isPart
            }
            offset += UTF8.width(scalar)
        }
        if inWord { ends.append(offset) }
        return (starts, ends)
    }
}
