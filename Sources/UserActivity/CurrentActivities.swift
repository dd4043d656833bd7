internal import AsyncOperations

/// The current activity of each app; not kept alive, as Apple's is not.
final class CurrentActivities: Sendable {
    static let shared = CurrentActivities()

    func forget(_ activity: ObjectIdentifier) {}
}
