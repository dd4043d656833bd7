package import Basics
import HTTPServer
package import MockFaults

/// What is reported of a request that is held at a gate.
package struct HeldFacts: Sendable, Hashable {
    /// Such as `zones/modify`.
    package let operation: String
    package let user: String?
    package let device: String?
    package let zones: [String]

    init(_ entry: RequestJournal.Entry) {
        (operation, user, device) = (entry.operation, entry.user, entry.device)
        zones = entry.zones
    }
}

/// The requests held at gates, in the order of their arrival.
package struct Gates {
    /// A request that waits.
    package struct Held {
        /// Counted from 1 over the life of the server.
        package let number: Int
        package let hold: GateHold
        package let facts: HeldFacts
        /// On the server's clock.
        package let since: Timestamp
        let exchange: ExchangeID
        /// The batch that was open when it came to the gate.
        let batch: CommitBatch
        let next: () -> RequestOutcome
        /// Releases it when its time is up.
        var timer: HTTPLoop.TimerID?
    }

    package private(set) var waiting: [Held] = []
    /// Whether requests are not held any more, since the server stops.
    var areOpen = false
    /// Requests that were released because their time was up.
    package private(set) var timedOut = 0
    private var lastNumber = 0

    /// Requests that can wait at all gates together.
    package static let heldMax = 1000

    /// Holds a request; nil: too many are held.
    mutating func add(
        _ hold: GateHold, _ facts: HeldFacts, since: Timestamp, _ exchange: ExchangeID,
        _ batch: CommitBatch, _ next: @escaping () -> RequestOutcome
    ) -> Int? {
        guard waiting.count < Self.heldMax else { return nil }
        lastNumber += 1
        waiting.append(
            Held(
                number: lastNumber, hold: hold, facts: facts, since: since, exchange: exchange,
                batch: batch, next: next))
        return lastNumber
    }

    mutating func setTimer(_ timer: HTTPLoop.TimerID, of number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting[index].timer = timer
    }

    /// Removes a request whose time is up; nil: it was released.
    mutating func expire(_ number: Int) -> Held? {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
        timedOut += 1
        return waiting.remove(at: index)
    }

    /// Removes the first of a gate, or of all.
    ///
    /// - Parameter count: How many at most; nil: all of them.
    package mutating func release(_ gate: String?, count: Int?) -> [Held] {
        let chosen = waiting.filter { $0.hold.gate == gate ?? $0.hold.gate }.prefix(count ?? .max)
        let numbers = Set(chosen.map(\.number))
        waiting.removeAll { numbers.contains($0.number) }
        return Array(chosen)
    }

    /// Removes requests of a gate by their numbers, in this order; all of them or none.
    ///
    /// - Returns: nil: one of them is not held there, or is named twice.
    package mutating func release(_ gate: String, numbers: [Int]) -> [Held]? {
        let chosen = numbers.compactMap { number in
            waiting.first { $0.number == number && $0.hold.gate == gate }
        }
        guard chosen.count == numbers.count, Set(numbers).count == numbers.count else { return nil }
        waiting.removeAll { numbers.contains($0.number) }
        return chosen
    }
}
