import Foundation

/// Looks for marked words in whatever a run leaves or says, also where they are written in base64 or
/// hexadecimal: an envelope's payload is.
package struct LeakSearch: Sendable {
    private let words: MarkedWords

    package init(_ words: MarkedWords) { self.words = words }

    /// Which words are where they must not be, file by file.
    ///
    /// - Parameter isForgotten: Nothing of the person may be left, not in the journal either.
    package func leaks(
        inFolder folder: String, isForgotten: Bool = false
    ) throws -> [String] {
        var leaks: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            let whole = "\(folder)/\(path)"
            let kind = try FileManager.default.attributesOfItem(atPath: whole)[.type]
            guard kind as? FileAttributeType == .typeRegular else { continue }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
            let reader = isForgotten ? .others : MarkedWords.Reader(path)
            leaks += found(in: bytes, for: reader).map { "\(path): \($0)" }
        }
        return leaks
    }

    /// Which words stand in a text that somebody gets to see.
    package func leaks(
        in text: String, for reader: MarkedWords.Reader, _ what: String
    ) -> [String] {
        found(in: Data(text.utf8), for: reader).map { "\(what): \($0)" }
    }

    private func found(in bytes: Data, for reader: MarkedWords.Reader) -> [String] {
        words.forbidden(to: reader).filter { word in
            Self.forms(of: word).contains { bytes.range(of: $0) != nil }
        }
    }

    /// The ways in which a word can stand in a file.
    static func forms(of word: String) -> [Data] {
        let bytes = Data(word.utf8)
        let hexadecimal = bytes.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        return [bytes, Data(hexadecimal.utf8)]
            + (0..<3).compactMap { base64(bytes, behind: $0) }.map { Data($0.utf8) }
    }

    /// What base64 makes of the bytes for sure when so many stand before them; nil: too short to tell.
    private static func base64(_ bytes: Data, behind count: Int) -> String? {
        let text = (Data(repeating: 0, count: count) + bytes).base64EncodedString()
        let first = (count * 8 + 5) / 6
        let end = (count + bytes.count) * 8 / 6
        guard end - first >= 8 else { return nil }
        return String(text.dropFirst(first).prefix(end - first))
    }
}
