internal import Unistring

/// Makes texts alike that differ only in what a search does not care about.
package enum QueryFolding {
    /// The bytes of a text after folding.
    ///
    /// - Parameters:
    ///   - caseInsensitive: Letters become small.
    ///   - diacriticInsensitive: Accents and other marks that take no room go.
    package static func bytes(
        of text: String, caseInsensitive: Bool = true, diacriticInsensitive: Bool = true
    ) -> [UInt8] {
        var isPlain = true
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            isPlain = isPlain && byte < 0x80
            let isCapital = caseInsensitive && byte &- 0x41 < 26
            bytes.append(isCapital ? byte | 0x20 : byte)
        }
        guard !isPlain, caseInsensitive || diacriticInsensitive else { return bytes }
        let folded = caseInsensitive ? text.lowercased() : text
        guard diacriticInsensitive else { return Array(folded.utf8) }
        var scalars = String.UnicodeScalarView()
        for scalar in folded.canonicallyDecomposed.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return Array(String(scalars).utf8)
    }

    /// Whether a scalar is part of a word: a letter, a number, or a mark on one.
    package static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.value &- 0x30 < 10 || (scalar.value | 0x20) &- 0x61 < 26
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark,
            .enclosingMark, .privateUse:
            return true
        default: return false
        }
    }

    /// The words of a text.
    package static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        let scalars = text.unicodeScalars
        var start: String.Index?
        for index in scalars.indices {
            if isWordPart(scalars[index]) {
                if start == nil { start = index }
            } else if let begun = start {
                words.append(text[begun..<index])
                start = nil
            }
        }
        if let begun = start { words.append(text[begun...]) }
        return words
    }
}
