import SweepEngine

/// What rows say, whatever the whole comes to.
extension Judge {
    /// A row that says that all is well tells of a place where nothing was there all the time that
    /// should not be.
    mutating func checkRows() {
        // Left out of one look is out of that look.
        guard !act.faults.contains(where: { $0.contains("drop") }) else { return }
        let go = wish.mustGo(before).intersection(wish.mustGo(after))
        for row in verdict.rows where row.subject == nil && Self.isWell(row.outcome) {
            guard let mine = place(of: row), !isAboutOther(row.container) else { continue }
            for thing in go.sorted() where mine(thing) {
                let isNew = ledger.isBorn(thing, after: began) || ledger.touched.contains(thing)
                guard !isNew, isKnowable(thing, before) else { continue }
                say(
                    "S1 \(act.verb.rawValue) \(verdict.status): "
                        + "\(row.kind.rawValue) \"\(row.outcome.rawValue)\" with something there",
                    "\(thing)" + source(thing, before)
                        + ", found \(row.found), left \(row.left), kept \(row.kept)")
                break
            }
        }
    }

    /// Whether a row that ends like this says that nothing is there that should not be.
    private static func isWell(_ outcome: CoverageRow.Outcome) -> Bool {
        switch outcome {
        case .deleted, .alreadyGone, .empty, .kept: true
        case .left, .failed, .notLookedAt, .unproven, .notInScope, .toDelete, .exported: false
        }
    }

    /// Which things a row is about; nil where it is not known.
    private func place(of row: Verdict.Row) -> ((Thing) -> Bool)? {
        let isHere: (Thing) -> Bool = {
            $0.container == row.container && $0.environment == "development"
                && $0.scope == row.scope
        }
        switch row.kind {
        case .customZones, .sharedZones: return { isHere($0) && $0.kind == .zone }
        case .defaultZone:
            return { isHere($0) && $0.kind == .record && $0.zone == "_defaultZone" }
        case .zoneRecords:
            // Those of other zones go with them.
            let zones = wish.mustStay(before).filter {
                isHere($0) && $0.user == "ada" && $0.kind == .zone
            }
            let kept = Set(zones.map(\.zone))
            return { isHere($0) && $0.kind == .record && kept.contains($0.zone) }
        case .publicRecords:
            return { isHere($0) && $0.kind == .record && !$0.name.hasPrefix("_") }
        case .userRecord:
            return { isHere($0) && $0.kind == .record && $0.name.hasPrefix("_") }
        case .subscriptions: return { isHere($0) && $0.kind == .subscription }
        case .sharesGiven, .sharedRecords, .assets, .donations, .otherEnvironment: return nil
        }
    }
}
