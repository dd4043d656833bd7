/// Why somebody cannot be called.
public enum INStartCallContactUnsupportedReason: Int, Sendable {
    /// There is no such person.
    case noContactFound = 1
    /// Only one person can be called.
    case multipleContactsUnsupported
    /// The person has no such way.
    case noHandleForLabel
    /// That way leads nowhere.
    case invalidHandle
    /// A code of the network is not supported.
    case unsupportedMmiUssd
    /// There was no call before.
    case noCallHistoryForRedial
    /// The former call cannot be repeated.
    case noUsableHandleForRedial
}
