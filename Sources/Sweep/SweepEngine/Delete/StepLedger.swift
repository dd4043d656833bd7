import CloudModel
import DeletionPlanning
import Journal

/// What became of each item of one step. Every item has one outcome, also after many tries, so
/// that counts add up however often a run is resumed.
struct StepLedger: Sendable {
    let step: DeletionStep
    private(set) var items: [ItemOutcome]
    private(set) var failures: [BatchResult.Failure] = []
    private let places: [String: Int]

    init(_ step: DeletionStep, _ known: StepOutcome) {
        self.step = step
        let names = step.names
        items =
            known.items.count == names.count
            ? known.items : [ItemOutcome](repeating: .pending, count: names.count)
        places = Dictionary(
            zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The names with this outcome, in the step's order.
    func names(in outcome: ItemOutcome) -> [String] {
        zip(step.names, items).compactMap { $1 == outcome ? $0 : nil }
    }

    /// Says what has to be sent: what is there. Of the rest it notes what became of it.
    ///
    /// The server is believed about what is there, also when it has acknowledged the deletion
    /// before; what is not there any more was deleted by us when a run that was cut off may have
    /// asked for it, and had gone by itself else.
    mutating func sort(
        _ candidates: [String], present: Set<String>, spared: Set<String>, isResumed: Bool
    ) -> [String] {
        var toSend: [String] = []
        for name in candidates {
            guard let place = places[name] else { continue }
            // The default zone is always there: once tried is enough.
            if case .defaultZone = step.work, items[place] != .pending { continue }
            if present.contains(name) {
                if items[place] != .deferred { items[place] = .pending }
                toSend.append(name)
                continue
            }
            if spared.contains(name) {
                items[place] = .spared
                continue
            }
            switch items[place] {
            case .deleted, .alreadyGone: continue
            case .pending, .failed, .deferred, .spared:
                items[place] = isResumed ? .deleted : .alreadyGone
            }
        }
        return toSend
    }

    /// Takes what came of sending.
    ///
    /// - Parameter isTry: Nothing is concluded from a try that fails.
    mutating func take(_ result: BatchResult, isTry: Bool) {
        for (name, outcome) in result.outcomes {
            guard let place = places[name] else { continue }
            items[place] = isTry && outcome != .deleted ? .spared : outcome
        }
        if !isTry { failures = result.failures }
    }

    /// No attempt is left for what waited for others.
    mutating func giveUpDeferred() {
        for name in names(in: .deferred) {
            if let place = places[name] { items[place] = .failed }
            failures.append(
                .init(name: name, error: .stillReferredTo))
        }
    }

    /// How far the step has come with this.
    var state: StepState {
        if items.contains(.deferred) { return .deferred }
        if items.contains(.pending) { return .planned }
        let failed = items.count { $0 == .failed }
        return failed == 0 ? .acknowledged : failed == items.count ? .failed : .partlyFailed
    }

    var counts: StepCounts {
        let all = ItemCounts(items)
        var counts = StepCounts()
        counts.deleted = all.deleted
        counts.alreadyGone = all.alreadyGone
        counts.failed = all.failed
        return counts
    }
}

extension CloudError {
    /// Nothing is left that could be deleted first.
    static let stillReferredTo = CloudError(
        .validatingReferenceError,
        reason: "another record still refers to it, possibly of a type that the list does not name")
}
