/// S3: what must stay.
extension Judge {
    /// What must stay is there as it was, unless others than our client took or changed it.
    mutating func checkWhatStays() {
        for thing in wish.mustStay(before).sorted() {
            if ledger.taken.contains(thing) || isExcused(thing) { continue }
            if after[thing] != nil {
                if after[thing] != before[thing], !ledger.touched.contains(thing) {
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
                    + (ledger.swapped == nil ? "" : " (swapped)"),
                "\(thing)")
        }
    }

    private func refers(_ thing: Thing) -> Bool {
        world.edges.contains { $0.source == thing && $0.action == .deleteSelf }
    }

    private func isExcused(_ thing: Thing) -> Bool {
        // Another person's token can come between the last question who it is and the request;
        // zones and records have an owner that a request can name, subscriptions have none.
        if thing.kind == .subscription, let swapped = ledger.swapped,
            !wish.isMeant(thing, before[thing] ?? Facts(text: ""))
        {
            let sent = log.firstIndex {
                $0.time > swapped && $0.operation == "subscriptions/modify"
                    && $0.container == thing.container
            }
            let asked = log[..<(sent ?? log.endIndex)].last {
                $0.operation == "users/caller" && $0.container == thing.container
            }
            return asked.map { $0.time <= swapped } ?? true
        }
        if wish.othersMayGo, thing.scope == "public", refers(thing) { return true }
        // A record of another person whose type nobody can know of cannot be listed.
        if thing.scope == "public", !wish.isMeant(thing, before[thing] ?? Facts(text: "")) {
            return !isKnowable(thing, before)
        }
        return false
    }

    /// Nothing that must stay is named in a deleting request.
    mutating func checkRequests() {
        let stay = wish.mustStay(before)
        // With another person's token the same names are that person's.
        for exchange in deletions where ledger.swapped.map({ exchange.time < $0 }) ?? true {
            for part in exchange.asked where part.verb?.lowercased().contains("delete") == true {
                let isPublic = exchange.scope == "public"
                let kind: Thing.Kind =
                    exchange.operation == "zones/modify"
                    ? .zone : exchange.operation == "records/modify" ? .record : .subscription
                let owner =
                    kind == .subscription && isPublic
                    ? (wish.names[exchange.container] ?? "") + " " : ""
                let thing = Thing(
                    user: isPublic ? "" : "ada", container: exchange.container,
                    environment: exchange.environment, scope: exchange.scope, zone: part.zone,
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
