/// What became of something the app donated. Refusals are outcomes and not errors: Apple's calls
/// say nothing about them, and whoever wants to know reads them from the store.
public enum DonationOutcome: String, Sendable, Codable, Hashable, CaseIterable {
    /// It is stored.
    case stored
    /// It took the place of a row with the same identifier.
    case replaced
    /// The activity was current already and nothing about it is new: no new event.
    case unchanged
    /// D10: its strongly related item is not in the index.
    case refusedItemMissing
    /// The container it is about is restricted.
    case refusedRestricted
    /// The zone it is about was erased, by the user in the settings or by a sweep, and did not
    /// come back.
    case refusedErased
    /// R10: it was deleted on all devices, and is only offered again because its index is rebuilt.
    /// An app that indexes it by itself has it stored.
    case refusedDeleted
    /// The app does not declare this activity type.
    case refusedActivityType
    /// A value of a kind that cannot be kept.
    case refusedValue
    /// Siri asked for the act, and so knows of it.
    case refusedFromSiri
    /// The activity object is no longer valid.
    case refusedInvalid

    /// Whether a row is there now because of the call.
    public var isStored: Bool { self == .stored || self == .replaced }
}
