internal import DonationStore
internal import Donations
public import Foundation

/// The user's own words that Siri should understand in the app.
///
/// There is one list of each type, replaced as a whole. A word of more than 1024 bytes is left
/// out, and the store's log of outcomes says so.
public final class INVocabulary: NSObject, Sendable {
    /// The longest word, in bytes.
    private static let wordBytesMax = 1024
    private static let one = INVocabulary()

    private override init() { super.init() }

    /// The one vocabulary.
    public class func shared() -> INVocabulary { one }

    /// Replaces the words of a type, the most important first.
    public func setVocabularyStrings(
        _ vocabulary: NSOrderedSet, of type: INVocabularyStringType
    ) {
        replace(
            vocabulary.compactMap { ($0 as? String).map { Word($0) } }, of: type)
    }

    /// Replaces the words of a type, the most important first, with how to say them.
    public func setVocabulary(_ vocabulary: NSOrderedSet, of type: INVocabularyStringType) {
        replace(
            vocabulary.compactMap { element in
                (element as? any INSpeakable).map {
                    Word(
                        $0.spokenPhrase, hint: $0.pronunciationHint,
                        identifier: $0.vocabularyIdentifier)
                }
            }, of: type)
    }

    /// Removes all words of all types.
    public func removeAllVocabularyStrings() {
        StoreCall.run(.interactionOperationNotSupported, completion: nil) {
            $0.delete(.list(.vocabulary, scope: nil), completion: $1)
        }
    }

    private struct Word {
        let text: String
        let hint: String?
        let identifier: String?

        init(_ text: String, hint: String? = nil, identifier: String? = nil) {
            self.text = text
            self.hint = hint
            self.identifier = identifier
        }

        var entry: ListEntry {
            var parts: [String: PayloadValue] = [:]
            parts["hint"] = hint.map { .string($0) }
            parts["identifier"] = identifier.map { .string($0) }
            return ListEntry(
                identifier: text, title: text,
                payload: parts.isEmpty ? [] : PayloadValue.dictionary(parts).encoded,
                mentions: [text, identifier].compactMap { $0 })
        }
    }

    private func replace(_ words: [Word], of type: INVocabularyStringType) {
        let fit = words.filter { !$0.text.isEmpty && $0.text.utf8.count <= Self.wordBytesMax }
        if fit.count < words.count {
            DonationStore.current?.note(.refusedValue, kind: .vocabulary, type: "\(type.rawValue)")
        }
        ListCall.replace(.vocabulary, scope: "\(type.rawValue)") { fit.map(\.entry) }
    }
}
