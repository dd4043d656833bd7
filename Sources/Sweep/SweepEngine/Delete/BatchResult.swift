import CloudModel
import Journal

/// What came of the items of one step.
struct BatchResult: Sendable {
    /// One item that was refused for good.
    struct Failure: Sendable {
        let name: String
        let error: CloudError
    }

    /// By name; what is missing was not settled.
    private(set) var outcomes: [String: ItemOutcome] = [:]
    private(set) var failures: [Failure] = []
    /// The deferred items that the service refused.
    private(set) var refused: [String] = []
    var requests = 0

    /// - Parameter count: How many items are to be settled.
    init(of count: Int) { outcomes.reserveCapacity(count) }

    /// How many items are settled.
    var settled: Int { outcomes.count }

    mutating func note(_ names: [String], _ outcome: ItemOutcome) {
        for name in names { outcomes[name] = outcome }
    }

    mutating func fail(_ names: [String], _ error: CloudError) {
        note(names, .failed)
        failures += names.map { Failure(name: $0, error: error) }
    }

    mutating func deferRefused(_ name: String) {
        note([name], .deferred)
        refused.append(name)
    }
}

/// What an answer says of one item.
enum ItemAnswer: Sendable {
    case deleted
    case failure(CloudError)
}
