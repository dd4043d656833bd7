/// Why something cannot be played.
public enum INPlayMediaMediaItemUnsupportedReason: Int, Sendable {
    /// The user has to sign in.
    case loginRequired = 1
    /// The user has to subscribe.
    case subscriptionRequired
    /// The app does not play this kind.
    case unsupportedMediaType
    /// The settings forbid it.
    case explicitContentSettings
    /// The settings forbid it on this network.
    case cellularDataSettings
    /// It may not be played.
    case restrictedContent
    /// The service cannot be reached.
    case serviceUnavailable
    /// It may not be played here.
    case regionRestriction
}
