import Basics

/// Two or three lies in one run, drawn at random.
package struct Combination: Sendable {
    package let row: Row

    /// The same row for the same seed, as long as the kinds stay as they are.
    package init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let verb = [Row.Verb.sweep, .sweep, .apply, .resume].randomElement(using: &generator)
        var lies: [Lie] = []
        // Most draws are fair: a few hundred unfair ones in a row do not happen.
        for _ in 0..<1000 {
            lies = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
                Self.lie(using: &generator)
            }
            if Self.isFair(lies) { break }
        }
        row = Row(verb ?? .sweep, lies)
    }

    private static func lie(using generator: inout SeededGenerator) -> Lie {
        let spots =
            Table.listings + Table.lookUps + Table.modifying + Table.modifying
            + [.sharedRecordChanges, .shared(.lookUpRecords), .private(.caller), .everything]
        let spot = spots.randomElement(using: &generator) ?? .everything
        let kind = kinds(at: spot).randomElement(using: &generator) ?? Kind.hidingItems[0]
        let moment = moments(at: spot).randomElement(using: &generator) ?? .always
        return Lie(spot, moment, kind)
    }

    private static func moments(at spot: Spot) -> [Moment] {
        if Table.modifying.contains(spot) { return [.always, .always, .once, .from(2)] }
        // Nothing else shows what the person made in zones of others: not in every look, then.
        if spot == .sharedRecordChanges { return [.once, .during(.delete), .during(.pass(1))] }
        return [
            .always, .once, .from(2), .from(3), .afterwards, .during(.look), .during(.delete),
            .during(.pass(1)), .during(.pass(2)), .onceDuring(.pass(2)),
        ]
    }

    /// What can be said there, but for what takes real time to notice.
    private static func kinds(at spot: Spot) -> [Kind] {
        var kinds: [Kind]
        if spot == .everything {
            kinds = Kind.comebacks + Kind.wrongToken
        } else if Table.modifying.contains(spot) {
            kinds = Kind.deletionsNotDone + Kind.deletionsDenied + Kind.deletionsMixedUp
        } else if spot.operation == .caller {
            kinds = Kind.wrongPerson
        } else {
            kinds = Table.hidingKinds + Kind.strangeItems + Kind.strangeBodies + Kind.staleBodies
            if Table.records.contains(spot) { kinds += Kind.strangeRecords }
            if Table.feeds.contains(spot) {
                kinds += Kind.hidingPages + Kind.strangePages + Kind.backwardPages
            }
            if Table.queries.contains(spot) {
                kinds += Kind.hidingQueryPages + Kind.strangePages + Kind.backwardPages
            }
        }
        if spot != .everything { kinds += Kind.strangeStatuses + Kind.transport }
        return kinds.filter { !$0.needsPatience }
    }

    // MARK: Fairness

    /// Whether somebody is left who does not lie about the same thing.
    private static func isFair(_ lies: [Lie]) -> Bool {
        let spots = Set(lies.map(\.spot))
        let sources: [Set<Spot>] = [
            [.private(.listZones), .private(.databaseChanges)],
            [.private(.queryRecords), .private(.lookUpRecords)],
            [.public(.queryRecords), .public(.lookUpRecords)],
            // What is kept in zones is shown by both.
            [.recordChanges, .private(.queryRecords)],
            [.private(.zoneChanges), .private(.queryRecords)],
            // What the person made in zones of others is shown by both.
            [.sharedRecordChanges, .shared(.lookUpRecords)],
        ]
        if sources.contains(where: { $0.isSubset(of: spots) }) { return false }
        if lies.count(where: { $0.spot == .sharedRecordChanges }) > 1 { return false }
        if lies.contains(where: { $0.isLasting && $0.spot.isOnlySource && $0.kind.shortens }) {
            return false
        }
        // Whoever sends requests in another's name needs no help of ours.
        if lies.contains(where: { $0.kind.actsForAnother }) { return false }
        let wrongPerson = lies.contains { $0.spot.operation == .caller }
        return !(wrongPerson && lies.contains { $0.kind.namesAnother })
    }
}

extension Kind {
    /// Whether what is shown is said to be another person's, as the caller then may be.
    fileprivate var namesAnother: Bool {
        name.contains("another owner") || name.contains("another person")
    }
}
