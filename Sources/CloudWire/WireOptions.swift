/// What a request says about the form of its answer.
package struct WireOptions: Sendable, Hashable {
    /// Whether numbers in fields are to be sent in quotation marks.
    package var numbersAsStrings: Bool
    /// Whether queries and lookups answer with the zone's sync token.
    package var currentSyncTokenAsked: Bool

    /// The documented defaults, or others.
    package init(numbersAsStrings: Bool = false, currentSyncTokenAsked: Bool = false) {
        self.numbersAsStrings = numbersAsStrings
        self.currentSyncTokenAsked = currentSyncTokenAsked
    }
}
