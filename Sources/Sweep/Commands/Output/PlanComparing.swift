import CommandLine
import DeletionPlanning
import SweepEngine

/// Shows how two plan files differ: in what they say of themselves, row by row, and thing by thing.
struct PlanComparing {
    /// Things that are shown unless all are asked for.
    static let shownMax = 10

    let first: String
    let second: String
    let showsAll: Bool
    let console: Console

    /// - Returns: Whether they name the same things.
    func run() throws(CommandFailure) -> Bool {
        var comparison = PlanComparison()
        var (before, after) = (PlanSummary(), PlanSummary())
        var isTooLong = false
        let old = try each(first) { (thing, item) in
            before.add(item)
            isTooLong = isTooLong || !thing.allSatisfy { comparison.addFirst($0) }
        }
        guard !isTooLong else {
            throw CommandFailure(
                .usage, "\(first) names more than \(PlanComparison.thingsMax) items: too many")
        }
        // The whole file is checked before a name of it is shown.
        let new = try each(second) { (_, item) in after.add(item) }
        showFacts(old, new)
        showRows(before, after)
        var shown = 0
        _ = try each(second) { (things, _) in
            for thing in things {
                if let change = comparison.addSecond(thing) { show(thing, change, &shown) }
            }
        }
        _ = try each(first) { (things, _) in
            for thing in things where comparison.isRemoved(thing) { show(thing, .removed, &shown) }
        }
        if shown > Self.shownMax, !showsAll {
            console.result("… and \(shown - Self.shownMax) more; --items lists all")
        }
        console.event(
            Event(
                "plans_compared",
                [
                    .init("first", old.digest), .init("second", new.digest),
                    .init("added", comparison.added), .init("removed", comparison.removed),
                    .init("changed", comparison.changed),
                ]))
        console.result(
            comparison.isSame
                ? "The plans name the same items."
                : "\(comparison.added) added, \(comparison.removed) removed, "
                    + "\(comparison.changed) changed.")
        return comparison.isSame
    }

    private func each(
        _ path: String, _ visit: ([PlanComparison.Thing], PlanItem) -> Void
    ) throws(CommandFailure) -> PlanFacts {
        try PlanArgument.read(path, in: console.environment) { (line) throws(PlanFileError) in
            guard case .item(let item, let reason) = line else { return }
            visit(PlanComparison.things(of: item, reason), item)
        }
    }

    // MARK: Showing

    private func showFacts(_ old: PlanFacts, _ new: PlanFacts) {
        var table = TextTable()
        func row(_ name: String, _ old: String, _ new: String, always: Bool = false) {
            guard always || old != new else { return }
            table.add([.init(name, .faint), .init(old)])
            table.add([.init(""), .init(new)])
        }
        row("plans", old.digest, new.digest, always: true)
        row("made", old.created.iso8601, new.created.iso8601, always: true)
        row("server", old.server.description, new.server.description)
        row("environment", old.environment.rawValue, new.environment.rawValue)
        for subject in old.subjects {
            let other = new.subjects.first { $0.container == subject.container }
            row(
                "user of \(subject.container)", CoverageMap.short(subject.userPseudonym),
                other.map { CoverageMap.short($0.userPseudonym) } ?? "not in it")
        }
        for subject in new.subjects
        where !old.subjects.contains(where: { $0.container == subject.container }) {
            row(
                "user of \(subject.container)", "not in it",
                CoverageMap.short(subject.userPseudonym))
        }
        row("databases", Self.databases(old), Self.databases(new))
        row("not before", Self.time(old), Self.time(new))
        row(
            "to delete", Counts.text(old.totals, recordsInZones: nil),
            Counts.text(new.totals, recordsInZones: nil))
        console.result(table.lines(console.style).joined(separator: "\n") + "\n")
    }

    private static func databases(_ plan: PlanFacts) -> String {
        plan.scopes.map(\.rawValue).joined(separator: ", ")
    }

    private static func time(_ plan: PlanFacts) -> String {
        plan.conditions.notBefore?.iso8601 ?? "immediately"
    }

    /// The rows whose numbers differ.
    private func showRows(_ before: PlanSummary, _ after: PlanSummary) {
        let places = Set(before.counts.keys).union(after.counts.keys).sorted()
        var table = TextTable()
        for place in places where before.counts[place] != after.counts[place] {
            let (old, new) = (before.counts[place] ?? 0, after.counts[place] ?? 0)
            table.add([
                .init("\(place.container)/\(place.scope.rawValue)"), .number(old), .init("→"),
                .number(new), .init(place.what + (place.isKept ? ", kept" : "")),
            ])
            console.event(
                Event(
                    "row_changed",
                    [
                        .init("container", place.container.rawValue),
                        .init("database", place.scope.rawValue), .init("what", place.what),
                        .init("kept", place.isKept), .init("first", old), .init("second", new),
                    ]))
        }
        let lines = table.lines(console.style)
        if !lines.isEmpty { console.result(lines.joined(separator: "\n") + "\n") }
    }

    private func show(
        _ thing: PlanComparison.Thing, _ change: PlanComparison.Change, _ shown: inout Int
    ) {
        let (sign, word, before): (String, String, PlanComparison.Fate?) =
            switch change {
            case .added: ("+", "added", nil)
            case .removed: ("-", "removed", nil)
            case .changed(let fate): ("~", "changed", fate)
            }
        console.event(
            Event(
                "item_\(word)",
                [
                    .init("container", thing.container.rawValue),
                    .init("database", thing.scope.rawValue), .init("item", thing.name),
                    .init("fate", thing.fate.rawValue), .init("before", before?.rawValue),
                    .init("why", thing.why),
                ]))
        shown += 1
        guard showsAll || shown <= Self.shownMax else { return }
        let fate = before.map { "\($0.rawValue) → \(thing.fate.rawValue)" } ?? thing.fate.rawValue
        let why = thing.why.map { "  (\($0))" } ?? ""
        console.result(
            "\(sign) \(fate)  \(thing.container)/\(thing.scope.rawValue)  "
                + Visible.text(thing.name + why))
    }
}
