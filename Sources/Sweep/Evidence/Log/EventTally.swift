package import Basics

/// What the events of a run say became of its steps, and when.
package struct EventTally: Sendable {
    /// The newest word on one step. A step that was taken up again has a later one.
    private struct Outcome {
        let place: Int
        let deleted: Int
        let alreadyGone: Int
    }

    private var places: [EvidenceRow.Place] = []
    private var outcomes: [Int: Outcome] = [:]
    /// Outcomes of the default zone as a whole, whose things are its records.
    private var uncounted: Set<Int> = []
    package private(set) var firstOutcome: Timestamp?
    package private(set) var lastOutcome: Timestamp?
    package private(set) var last: Timestamp?

    /// Steps that have an outcome.
    package var steps: Int { outcomes.count + uncounted.count }

    mutating func take(_ event: consuming Members) throws(EvidenceError) {
        let at = try event.time("at")
        last = max(last ?? at, at)
        guard try event.text("event") == "outcome" else { return }
        firstOutcome = min(firstOutcome ?? at, at)
        lastOutcome = max(lastOutcome ?? at, at)
        let step = try event.count("step")
        guard try event.flag("counted") else {
            uncounted.insert(step)
            return
        }
        let place = EvidenceRow.Place(
            container: try event.text("container"), database: try event.text("database"),
            kind: try event.text("kind"))
        outcomes[step] = Outcome(
            place: index(of: place), deleted: try event.count("deleted"),
            alreadyGone: try event.count("alreadyGone"))
    }

    private mutating func index(of place: EvidenceRow.Place) -> Int {
        if let index = places.firstIndex(of: place) { return index }
        places.append(place)
        return places.count - 1
    }

    /// What was deleted, and what was gone already, place by place.
    package var sums: [EvidenceRow.Place: (deleted: Int, alreadyGone: Int)] {
        var sums: [EvidenceRow.Place: (deleted: Int, alreadyGone: Int)] = [:]
        for outcome in outcomes.values {
            var sum = sums[places[outcome.place]] ?? (0, 0)
            sum.deleted = sum.deleted.clampedSum(outcome.deleted)
            sum.alreadyGone = sum.alreadyGone.clampedSum(outcome.alreadyGone)
            sums[places[outcome.place]] = sum
        }
        return sums
    }
}
