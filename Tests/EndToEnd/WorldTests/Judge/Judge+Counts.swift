import SweepEngine

extension Judge {
    /// S16: the counts of a report add up, row by row.
    mutating func checkSums() {
        guard act.verb != .plan, [.done, .partlyFailed, .dataLeft].contains(verdict.status)
        else { return }
        for row in verdict.rows {
            let sum = row.deleted + row.alreadyGone + row.kept + row.left + row.failed
            guard row.found != sum else { continue }
            say(
                "S16 \(act.verb.rawValue) \(verdict.status): \(row.kind.rawValue) do not add up",
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
            // What is kept and only shows when things are asked for by name is in no plan.
            let kept = mine.filter { stay.contains($0) }
            let shown = kept.count { isPlannable($0, whole) }
            let toGo = mine.count - kept.count
            // What is in no plan can go along with what is.
            let planned = toGo - mine.count { !stay.contains($0) && !isPlannable($0, whole) }
            let gone = row.deleted + row.alreadyGone
            guard
                !(planned...toGo).contains(gone) || !(shown...kept.count).contains(row.kept)
                    || row.found != gone + row.kept
            else { continue }
            say(
                "S7 \(act.verb.rawValue): \(row.kind.rawValue) miscounted",
                "\(row.container)/\(row.scope): found \(row.found), kept \(row.kept), gone "
                    + "\(gone) of \(mine.count) with \(kept.count) to keep: "
                    + mine.sorted().map { $0.name + source($0, whole) }.joined(separator: "; "))
        }
    }

    /// S16: whatever a run came to, its rows say that as many things are gone as are. What other
    /// devices wrote or took meanwhile may count or not: it depends on the moment.
    mutating func checkVanished() {
        guard [.sweep, .apply].contains(act.verb), act.isTruthful, !ledger.isSwapped,
            [.done, .partlyFailed, .dataLeft].contains(verdict.status)
        else { return }
        let stay = wish.mustStay(before)
        let passing = ledger.born.keys.count { after[$0] == nil }
        let planned = memory.planned.map { before.losses(since: $0).count } ?? 0
        for row in verdict.rows where row.subject == nil {
            guard let mine = things(of: row, before) else { continue }
            let vanished = mine.filter { after[$0] == nil && !stay.contains($0) }
            let surely = vanished.count {
                isPlannable($0, before) && !ledger.taken.contains($0)
                    && !ledger.touched.contains($0) && ledger.born[$0] == nil
            }
            let gone = row.deleted + row.alreadyGone
            // What failed may have been carried out: no answer came.
            guard gone + row.failed < surely || gone > vanished.count + passing + planned else {
                continue
            }
            say(
                "S16 \(act.verb.rawValue) \(verdict.status): \(row.kind.rawValue) says of others "
                    + "that they are gone",
                "\(row.container)/\(row.scope): \(row.deleted) deleted, \(row.alreadyGone) already "
                    + "gone, \(row.left) left, \(row.failed) failed, but \(surely) to "
                    + "\(vanished.count) vanished")
        }
    }

    /// Whether the list names a thing's type, or an answer did before the run's own check of what it
    /// deleted and kept.
    private func isPlannable(_ thing: Thing, _ whole: Contents) -> Bool {
        guard thing.kind == .record, thing.zone == "_defaultZone", let type = whole[thing]?.type
        else { return true }
        return wish.target(thing)?.types?.contains(type) == true
            || memory.heldTypes[thing.container, default: []].contains(type)
    }

    /// What a row of the report is about; nil where its parts are counted in other ways.
    func things(of row: Verdict.Row, _ whole: Contents) -> [Thing]? {
        let kind: Thing.Kind
        var zone: String?
        switch row.kind {
        case .customZones:
            // Of a zone with something to keep the records are counted one by one.
            if wish.rules.contains(where: { $0.type != nil }) { return nil }
            // A late list has zones that others have deleted.
            if world.setup.options.zoneListLag > 0 { return nil }
            kind = .zone
        case .sharedZones:
            if world.setup.options.zoneListLag > 0 { return nil }
            kind = .zone
        case .defaultZone, .publicRecords:
            kind = .record
            zone = "_defaultZone"
        case .subscriptions: kind = .subscription
        case .zoneRecords, .sharesGiven, .sharedRecords, .userRecord, .assets, .donations,
            .otherEnvironment:
            return nil
        }
        return whole.things.filter { thing, facts in
            thing.container == row.container && thing.environment == "development"
                && thing.scope == row.scope && thing.kind == kind
                && (zone == nil || thing.zone == zone) && facts.type != "Users"
                && wish.isMeant(thing, facts) && isKnowable(thing, whole)
        }.map(\.key)
    }
}
