public import DonationStore

/// An app on one of a person's devices, as Handoff sees it.
public struct HandoffPeer: Sendable {
    /// The app's store on that device; what is current in it is what can be continued.
    public var store: DonationStore
    /// Who signed the app: activities only go between apps of one team.
    public var teamIdentifier: String

    /// An app on a device.
    public init(store: DonationStore, teamIdentifier: String) {
        self.store = store
        self.teamIdentifier = teamIdentifier
    }
}
