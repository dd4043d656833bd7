/// An entry of one of the app's plain lists: relevant shortcuts, suggestions, voice shortcuts,
/// vocabulary, upcoming media, settings.
package struct ListEntry: Sendable, Hashable {
    /// The shortcut's or setting's name, or the word itself.
    package var identifier: String
    package var title: String?
    package var suggestedInvocationPhrase: String?
    /// Canonical bytes of what the entry holds.
    package var payload: [UInt8]
    /// Who and what is named inside.
    package var mentions: [String]

    /// An entry of a list.
    package init(
        identifier: String, title: String? = nil, suggestedInvocationPhrase: String? = nil,
        payload: [UInt8] = [], mentions: [String] = []
    ) {
        self.identifier = identifier
        self.title = title
        self.suggestedInvocationPhrase = suggestedInvocationPhrase
        self.payload = payload
        self.mentions = mentions
    }
}
