/// What rows say, whatever the whole comes to.
extension Judge {
    private static let clean: Set = ["looked at, empty", "deleted", "already gone", "kept"]

    /// A row that says that all is well tells of a place where nothing was there all the time that
    /// should not be.
    mutating func checkRows() {
        // Left out of one look is out of that look.
        guard !act.faults.contains(where: { $0.contains("drop") }) else { return }
        let go = wish.mustGo(before).intersection(wish.mustGo(after))
        for row in verdict.rows where row.subject == nil && Self.clean.contains(row.outcome) {
            guard let mine = place(of: row) else { continue }
            for thing in go.sorted() where mine(thing) {
                let isNew = ledger.isBorn(thing, after: began) || ledger.touched.contains(thing)
                guard !isNew, isKnowable(thing, before) else { continue }
                say(
                    "S1 \(act.verb.rawValue) \(verdict.status): "
                        + "\(row.kind) \"\(row.outcome)\" with something there",
                    "\(thing)" + source(thing, before))
                break
            }
        }
    }

    /// Which things a row is about; nil where it is not known.
    private func place(of row: Verdict.Row) -> ((Thing) -> Bool)? {
        let isHere: (Thing) -> Bool = { $0.container == row.container && $0.scope == row.scope }
        switch row.kind {
        case "custom zones", "shared zones": return { isHere($0) && $0.kind == .zone }
        case "default zone":
            return { isHere($0) && $0.kind == .record && $0.zone == "_defaultZone" }
        case "records in kept zones":
            // Those of other zones go with them.
            let kept = Set(wish.mustStay(before).filter { $0.kind == .zone }.map(\.zone))
            return { isHere($0) && $0.kind == .record && kept.contains($0.zone) }
        case "public records":
            return { isHere($0) && $0.kind == .record && !$0.name.hasPrefix("_") }
        case "user record":
            return { isHere($0) && $0.kind == .record && $0.name.hasPrefix("_") }
        case "subscriptions": return { isHere($0) && $0.kind == .subscription }
        default: return nil
        }
    }
}
