import SweepEngine

/// S3: what must stay.
extension Judge {
    /// What must stay is there as it was, unless others than our client took or changed it.
    mutating func checkWhatStays() {
        for thing in lasting.sorted() {
            if ledger.taken.contains(thing) || isExcused(thing) { continue }
            if after[thing] != nil {
                let isOthers = ledger.touched.contains(thing) || ledger.born[thing] != nil
                // Who leaves a share changes it.
                let isShare = before[thing]?.type == "cloudkit.share"
                if after[thing] != before[thing], !isOthers, !isShare {
                    say("S3 a \(thing.scope) \(thing.kind.rawValue) is changed", "\(thing)")
                }
                continue
            }
            let whose =
                wish.isMeant(thing, before[thing] ?? Facts(text: ""))
                ? "a protected" : wish.target(thing) == nil ? "an outside" : "another person's"
            say(
                "S3 \(whose) \(thing.scope) \(thing.kind.rawValue) is destroyed"
                    + (refers(thing) ? " (refers)" : "")
                    + (ledger.isSwapped ? " (swapped)" : ""),
                "\(thing)")
        }
    }

    private var lasting: Set<Thing> {
        wish.mustStay(before, without: ledger.taken.union(ledger.touched))
    }

    private func refers(_ thing: Thing) -> Bool {
        world.edges.contains { $0.source == thing && $0.action == .deleteSelf }
    }

    /// What the contract cannot promise.
    private func isExcused(_ thing: Thing) -> Bool {
        guard let facts = before[thing], !wish.isMeant(thing, facts) else { return false }
        if act.verb == .sweep, wish.target(thing) != nil, isAboutOther(thing.container) {
            return true
        }
        switch (thing.scope, thing.kind) {
        case (_, .subscription): return isUnguarded(thing)
        case ("public", .record):
            // With consent, or where nobody could know of the record: it is found by its type alone.
            return goesAlong(thing)
                && (wish.othersMayGo || !isKnowable(thing, before) || rowSaysNotListed(thing))
        default: return false
        }
    }

    /// A subscription names no owner. The one request that follows the question who is signed in can
    /// be sent with another person's token, if the answer to the question brought it: nothing on
    /// the wire tells.
    private func isUnguarded(_ thing: Thing) -> Bool {
        let name = thing.name.split(separator: " ").last.map(String.init)
        let here = log.indices.filter {
            log[$0].container == thing.container && log[$0].scope == thing.scope
        }
        guard
            let sent = here.first(where: { index in
                log[index].isOther && log[index].operation == "subscriptions/modify"
                    && log[index].asked.contains { $0.name == name }
            })
        else { return false }
        // What else is under way meanwhile may come between the two.
        let near = here.filter { $0 < sent && $0 >= sent - 2 * world.parallelism }
        return near.contains { !log[$0].isOther && log[$0].operation == "users/caller" }
    }

    /// Whether a thing refers, by however many steps, to something that is to be deleted.
    private func goesAlong(_ thing: Thing) -> Bool {
        let go = wish.mustGo(before).union(ledger.taken)
        var (seen, open) = (Set([thing]), [thing])
        while let next = open.popLast() {
            for edge in world.edges where edge.source == next && edge.action == .deleteSelf {
                if go.contains(edge.target) { return true }
                if seen.insert(edge.target).inserted { open.append(edge.target) }
            }
        }
        return false
    }

    /// Whether the report says that other people's records could not all be listed.
    private func rowSaysNotListed(_ thing: Thing) -> Bool {
        verdict.rows.contains {
            $0.container == thing.container && $0.kind == .publicRecords
                && $0.outcome == .notInScope
        }
    }

    /// Nothing that must stay is named in a deleting request.
    mutating func checkRequests() {
        let stay = lasting
        // With another person's token the same names are that person's: then what was there counts.
        for exchange in deletions where !exchange.isOther {
            for part in exchange.asked where part.verb?.lowercased().contains("delete") == true {
                let isPublic = exchange.scope == "public"
                // What lies in a zone of the other lies in their private database; a share is left by
                // its record.
                let isGuest = exchange.scope == "shared" && exchange.operation == "records/modify"
                if isGuest, part.name == "cloudkit.zoneshare" { continue }
                let kind: Thing.Kind =
                    exchange.operation == "zones/modify"
                    ? .zone : exchange.operation == "records/modify" ? .record : .subscription
                // A zone of the other is told with its owner where it is stored.
                let shown = before.things.keys.first {
                    exchange.scope == "shared" && kind == .zone && $0.kind == .zone
                        && $0.scope == "shared" && $0.container == exchange.container
                        && $0.zone.hasPrefix(part.zone + "/")
                }
                let owner =
                    kind == .subscription && isPublic
                    ? (wish.names[exchange.container] ?? "") + " " : ""
                let thing = Thing(
                    user: isPublic ? "" : isGuest ? "ben" : "ada", container: exchange.container,
                    environment: exchange.environment,
                    scope: isGuest ? "private" : exchange.scope, zone: shown?.zone ?? part.zone,
                    kind: kind, name: owner + part.name)
                if wish.target(thing) == nil {
                    say("S3 a request outside of the scope", "\(thing)")
                } else if stay.contains(thing) && !ledger.taken.contains(thing)
                    || wish.keepsPlace(thing)
                {
                    say("S3 a request names what must stay", "\(thing)")
                }
            }
        }
    }
}
