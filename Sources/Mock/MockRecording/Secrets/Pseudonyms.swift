/// Stand-ins for secrets and names, both ways: the same for the same text in all of a recording.
package struct Pseudonyms: Sendable {
    private let form: StandInForm
    private var standIns: [String: String] = [:]
    private var meant: [String: String] = [:]
    private var texts = KnownTexts()
    private var standInTexts = KnownTexts()

    /// Shorter texts are replaced only where the keys say what they are.
    private static func wordBytesMin(_ kind: SecretKind) -> Int { kind == .person ? 3 : 6 }

    /// - Parameter key: 32 random bytes.
    package init(key: [UInt8]) { form = StandInForm(key: key) }

    /// What stands for a text, which is known from then on wherever it comes up.
    ///
    /// - Throws: `RecordingError` when there are too many, or the text is too long.
    package mutating func standIn(
        for text: String, _ kind: SecretKind
    ) throws(RecordingError) -> String {
        if let known = standIns[text] { return known }
        // It came from us.
        if meant[text] != nil { return text }
        guard text.utf8.count <= RecordingLimits.secretBytesMax else {
            throw RecordingError(.full, "a token or name is longer than a recording allows")
        }
        guard standIns.count < RecordingLimits.standInsMax else {
            throw RecordingError(
                .full, "a recording has at most \(RecordingLimits.standInsMax) tokens and names")
        }
        var attempt = 0
        var standIn = form.standIn(for: text, kind, attempt: attempt)
        while meant[standIn] != nil || standIns[standIn] != nil || standIn == text {
            attempt += 1
            standIn = form.standIn(for: text, kind, attempt: attempt)
        }
        standIns[text] = standIn
        meant[standIn] = text
        if text.utf8.count >= Self.wordBytesMin(kind) {
            texts.add(text, standIn)
            standInTexts.add(standIn, text)
        }
        return standIn
    }

    /// What a stand-in stands for; nil where it is none.
    package func meaning(of standIn: String) -> String? { meant[standIn] }

    /// A text with everything that is known replaced by its stand-in; nil where that changes nothing.
    package func hiding(in text: String) -> String? {
        texts.replaced(in: text)
    }

    /// A text with stand-ins replaced by what they stand for; nil where that changes nothing.
    package func revealing(in text: String) -> String? {
        meant[text] ?? standInTexts.replaced(in: text)
    }

    /// The hexadecimal digits that stand for an address.
    package func address(_ url: String) -> String { form.address(url) }
}
