internal import Foundation

/// Carries out what the life cycle of an activity asks for.
enum UserActivityDonor {
    static func becomeCurrent(_ activity: NSUserActivity) {
        preconditionFailure("not yet")
    }

    static func receive(_ call: ActivityLifeCycle.Call, by activity: NSUserActivity) {
        preconditionFailure("not yet")
    }

    static func delete(
        _ persistentIdentifiers: [String]?, completion: @escaping @Sendable () -> Void
    ) {
        preconditionFailure("not yet")
    }
}
