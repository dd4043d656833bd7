package import CloudModel

/// One request that a seed makes in a user's name.
package struct SeedStep: Sendable, Hashable {
    package let user: String
    package let address: Database.Address
    package let command: CloudCommand
}

/// What a seed has put in.
package struct SeedCounts: Sendable, Hashable {
    package var users = 0
    package var zones = 0
    package var records = 0
    package var subscriptions = 0

    package init() {}

    /// Counts what a step that succeeded in full has made.
    mutating func add(_ command: CloudCommand) {
        switch command {
        case .write(.modifyZones(let operations)): zones += operations.count
        case .write(.modifyRecords(let request)): records += request.operations.count
        case .write(.modifySubscriptions(let operations)): subscriptions += operations.count
        default: break
        }
    }
}
