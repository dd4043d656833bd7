/// Finds texts that are known inside others, as whole words, and puts others in their place.
struct KnownTexts: Sendable {
    private struct Known: Sendable {
        let text: [UInt8]
        /// Where its first word begins.
        let start: Int
        let replacement: [UInt8]
    }

    /// By their first words.
    private var known: [[UInt8]: [Known]] = [:]

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte >= 0x80
    }

    /// A text without a letter or digit is found nowhere.
    mutating func add(_ text: String, _ replacement: String) {
        let text = Array(text.utf8)
        guard let start = text.firstIndex(where: Self.isWord) else { return }
        let word = Array(text[start...].prefix(while: Self.isWord))
        known[word, default: []].append(
            Known(text: text, start: start, replacement: Array(replacement.utf8)))
    }

    /// The text with all that is known replaced; nil where nothing is.
    func replaced(in text: String) -> String? {
        guard !known.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var copied = 0
        var at = 0
        while let start = bytes[at...].firstIndex(where: Self.isWord) {
            let end = bytes[start...].firstIndex { !Self.isWord($0) } ?? bytes.endIndex
            at = end
            let candidates = known[Array(bytes[start..<end])] ?? []
            // The longest first: an address may begin with a name.
            let found = candidates.filter { matches($0, at: start, in: bytes, from: copied) }
                .max { $0.text.count < $1.text.count }
            guard let found else { continue }
            result += bytes[copied..<(start - found.start)]
            result += found.replacement
            copied = start - found.start + found.text.count
            at = copied
        }
        guard copied > 0 else { return nil }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private func matches(
        _ known: Known, at place: Int, in bytes: [UInt8], from first: Int
    ) -> Bool {
        let start = place - known.start
        let end = start + known.text.count
        guard start >= first, end <= bytes.count, bytes[start..<end].elementsEqual(known.text)
        else { return false }
        return end == bytes.count || !Self.isWord(known.text[known.text.count - 1])
            || !Self.isWord(bytes[end])
    }
}
