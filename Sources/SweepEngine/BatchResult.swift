import CloudModel

/// What came of the items of one step.
struct BatchResult: Sendable {
    /// One item that was refused for good.
    struct Failure: Sendable {
        let name: String
        let error: CloudError
    }

    var deleted = 0
    var alreadyGone = 0
    var requests = 0
    var failures: [Failure] = []
    /// Items to be tried again after the other records of their zone.
    var deferred: [String] = []

    mutating func add(_ other: BatchResult) {
        deleted += other.deleted
        alreadyGone += other.alreadyGone
        requests += other.requests
        failures += other.failures
        deferred = other.deferred
    }
}

/// What an answer says of one item.
enum ItemAnswer: Sendable {
    case deleted
    case failure(CloudError)
}
