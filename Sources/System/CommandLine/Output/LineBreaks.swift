/// Breaks text into lines of a width. No word is broken: what people copy, such as a path, an identifier
/// or a digest, stays whole, and is as long as it is.
package enum LineBreaks {
    /// The text in lines of at most `width` characters, or of one longer word.
    ///
    /// - Returns: at least one line.
    package static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = Substring()
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, columns(line) + 1 + columns(word) > width {
                lines.append(trimmed(line))
                line = word
            } else {
                line += line.isEmpty ? word : " " + word
            }
        }
        return lines + [trimmed(line)]
    }

    private static func trimmed(_ line: Substring) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    /// Characters that are seen: those of colours are not.
    private static func columns(_ text: Substring) -> Int {
        guard text.utf8.contains(0x1B) else { return text.count }
        var count = 0
        var isSeen = true
        for character in text {
            if character == "\u{1B}" {
                isSeen = false
            } else if isSeen {
                count += 1
            } else if character == "m" {
                isSeen = true
            }
        }
        return count
    }

    /// Characters of the longest word.
    package static func longestWord(_ text: String) -> Int {
        text.split(separator: " ").map(\.count).max() ?? 0
    }
}

extension Style {
    /// A paragraph in lines that fit; those after the first are indented further.
    ///
    /// - Parameter text: What others made up has been made visible in it.
    package func paragraph(_ text: String, _ tone: Tone = .plain, indent: Int = 0) -> [String] {
        let hanging = 2
        let blanks = String(repeating: " ", count: indent)
        let lines = LineBreaks.lines(text, width: columns - indent - hanging)
        return lines.enumerated().map { number, line in
            blanks + (number == 0 ? "" : String(repeating: " ", count: hanging))
                + self.text(line, tone)
        }
    }

    /// Lines that fit, each as far indented as it was; they may be coloured.
    package func folded(_ lines: [String]) -> [String] {
        lines.flatMap { line in
            let words = line.drop { $0 == " " }
            return paragraph(String(words), indent: line.count - words.count)
        }
    }

    /// How something ended: the word is coloured, wherever the sentence is broken.
    package func verdict(_ word: String, _ tone: Tone, _ sentence: String) -> [String] {
        var lines = paragraph("\(word): \(sentence)")
        lines[0] = text(word, tone) + lines[0].dropFirst(word.count)
        return lines
    }
}
