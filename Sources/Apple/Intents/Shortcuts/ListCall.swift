internal import DonationStore
internal import Donations
internal import Foundation

/// How Apple's lists, which are replaced as a whole, reach the store.
enum ListCall {
    /// Replaces a list; `completion` hears what failed.
    static func replace(
        _ kind: DonationKind, scope: String = "", completion: StoreCall.Completion? = nil,
        with entries: () throws -> [ListEntry]
    ) {
        StoreCall.run(.interactionOperationNotSupported, completion: completion) { store, answer in
            do {
                store.replace(kind, scope: scope, with: try entries(), completion: answer)
            } catch {
                // The former list stays whole. Most of Apple's calls have no way to say so.
                store.note(.refusedValue, kind: kind, type: scope)
                throw StoreCall.failure(.encodingFailed, error)
            }
        }
    }

    /// The entry of a shortcut.
    static func entry(
        _ shortcut: INShortcut, identifier: String, also: [String: PayloadValue] = [:]
    ) throws(StoredValue.Failure) -> ListEntry {
        let kept = try ShortcutCoding.encode(shortcut)
        let payload = (kept.namedValues ?? [:]).merging(also) { $1 }
        return ListEntry(
            identifier: identifier, title: shortcut.title,
            suggestedInvocationPhrase: shortcut.suggestedInvocationPhrase,
            payload: PayloadValue.dictionary(payload).encoded,
            mentions: mentions(kept["intent"]?["parameters"] ?? kept))
    }

    /// The entry of an intent.
    static func entry(
        _ intent: INIntent, identifier: String
    ) throws(StoredValue.Failure) -> ListEntry {
        let kept = try ShortcutCoding.encode(intent)
        return ListEntry(
            identifier: identifier, title: intent.intentDescription,
            suggestedInvocationPhrase: intent.suggestedInvocationPhrase,
            payload: PayloadValue.dictionary(["intent": kept]).encoded,
            mentions: mentions(kept["parameters"] ?? kept))
    }

    private static func mentions(_ kept: PayloadValue) -> [String] {
        Set(kept.strings.filter { !$0.isEmpty }).sorted()
    }
}
