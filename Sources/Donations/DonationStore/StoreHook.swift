/// Called at each step that reaches the disk, for tests that end a run there. What it throws
/// breaks the store like a failing disk.
package typealias StoreHook = @Sendable (StoreStep) throws -> Void

/// A step that reaches the disk.
package enum StoreStep: Sendable, Hashable {
    case beforeImage
    case afterImage
    case beforeCommit
    case afterCommit
    case beforeImageRemoval
}
