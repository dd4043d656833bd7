/// Where a deletion is meant to act. What an app deletes through Apple's names is meant for all
/// devices.
public enum DeletionScope: String, Sendable, Codable, Hashable, CaseIterable {
    /// Here only: signing out, making room.
    case thisDevice
    /// On all of the person's devices that exchange donations: the content itself was deleted.
    ///
    /// It acts on this device at once, and on the others when both have synced. A device that has
    /// never taken part in the exchange keeps no list of its deletions, so nothing is sent when it
    /// joins later; one that took part and is switched off sends them all the same.
    case everywhere
}
