/// Where a deletion is meant to act.
public enum DeletionScope: String, Sendable, Codable, Hashable, CaseIterable {
    /// Here only: signing out, making room.
    case thisDevice
    /// On all of the person's devices: the content itself is gone.
    case everywhere
}
