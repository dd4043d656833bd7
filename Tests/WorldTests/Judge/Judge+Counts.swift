extension Judge {
    /// S16: the counts of a report add up, row by row.
    mutating func checkSums() {
        guard act.verb != .plan, ["done", "partlyFailed", "dataLeft"].contains(verdict.status)
        else { return }
        for row in verdict.rows {
            let sum = row.deleted + row.alreadyGone + row.kept + row.left + row.failed
            guard row.found != sum else { continue }
            say(
                "S16 \(act.verb.rawValue) \(verdict.status): \(row.kind) does not add up",
                "\(row.container)/\(row.scope): found \(row.found), deleted \(row.deleted), "
                    + "already gone \(row.alreadyGone), kept \(row.kept), left \(row.left), "
                    + "failed \(row.failed)")
        }
    }

    /// S7: where others do nothing and no answer lies, a run that is done has counted what there was
    /// when it began, each thing once, however often it was cut off.
    mutating func checkCounts() {
        guard let run = verdict.run else { return }
        switch act.verb {
        case .plan:
            memory.planned = before
            memory.approved = Set(before.things.keys).union(after.things.keys)
        // What else came between a plan and its use is told in other ways.
        case .apply:
            if memory.planned?.things == before.things { memory.runs[run] = (before, act.isPlain) }
        case .sweep: memory.runs[run] = (before, act.isPlain)
        case .resume: if !act.isPlain { memory.runs[run]?.isPlain = false }
        case .verify: return
        }
        guard act.verb != .plan, verdict.isDone, let (whole, isPlain) = memory.runs[run], isPlain
        else { return }
        let stay = wish.mustStay(whole)
        for row in verdict.rows where row.subject == nil {
            guard let mine = things(of: row, whole) else { continue }
            let kept = mine.count { stay.contains($0) }
            let gone = row.deleted + row.alreadyGone
            guard (row.found, row.kept, gone) != (mine.count, kept, mine.count - kept) else {
                continue
            }
            say(
                "S7 \(act.verb.rawValue): \(row.kind) miscounted",
                "\(row.container)/\(row.scope): found \(row.found), kept \(row.kept), gone "
                    + "\(gone) of \(mine.count) with \(kept) to keep: "
                    + mine.sorted().map { $0.name + source($0, whole) }.joined(separator: "; "))
        }
    }

    /// What a row of the report is about; nil where its parts are counted in other ways.
    func things(of row: Verdict.Row, _ whole: Contents) -> [Thing]? {
        let kind: Thing.Kind
        var zone: String?
        switch row.kind {
        case "custom zones":
            // Of a zone with something to keep the records are counted one by one.
            if wish.rules.contains(where: { $0.type != nil }) { return nil }
            // A late list has zones that others have deleted.
            if world.setup.options.zoneListLag > 0 { return nil }
            kind = .zone
        case "default zone", "public records":
            kind = .record
            zone = "_defaultZone"
        case "subscriptions": kind = .subscription
        default: return nil
        }
        return whole.things.filter { thing, facts in
            thing.container == row.container && thing.scope == row.scope && thing.kind == kind
                && (zone == nil || thing.zone == zone) && facts.type != "Users"
                && wish.isMeant(thing, facts) && isKnowable(thing, whole)
        }.map(\.key)
    }
}
