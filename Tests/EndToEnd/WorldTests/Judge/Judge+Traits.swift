extension Judge {
    /// What this command met.
    var traits: Set<Trait> {
        var traits = standing
        func add(_ trait: Trait, _ isThere: Bool) { if isThere { traits.insert(trait) } }
        switch act.verb {
        case .plan, .sweep: break
        case .apply: traits.insert(.appliedFile)
        case .resume: add(.resumed, verdict.status != .usage)
        case .verify: traits.insert(.verified)
        }
        add(.deviceDeleted, !ledger.taken.isEmpty && happened { $0.isDevice })
        add(.deviceWrote, happened { $0.isDevice })
        add(.tokenChanged, log.contains(where: \.isOther))
        add(.signedOut, happened { $0 == .signOut })
        add(.killedServer, happened { if case .restart = $0 { true } else { false } })
        add(.stoppedClient, happened { if case .stop = $0 { true } else { false } })
        add(.killedClient, act.cut != nil && verdict.status == .internalError)
        for exchange in log {
            let (request, item): (Trait, Trait) =
                exchange.isModifying
                ? (.refusedWrite, .refusedWriteItem) : (.refusedRead, .refusedReadItem)
            add(request, exchange.refusal?.isInjected == true)
            let hasItem = exchange.answered.contains { $0.refusal?.isInjected == true }
            add(item, hasItem)
            add(.refusedQueryItem, hasItem && exchange.operation == "records/query")
            add(.lostAnswer, exchange.status == 0)
        }
        add(.deniedDeletion, before.things.keys.contains { after[$0] != nil && isDenied($0) })
        let lies = ["stale", "drop", "repeat", "empty page"]
        add(
            .strangeList,
            act.faults.contains { fault in
                lies.contains { fault.contains($0) }
                    && log.contains { fault.hasPrefix($0.operation) }
            })
        return traits
    }

    private func happened(_ fits: (Event) -> Bool) -> Bool { ledger.happened.contains(where: fits) }

    /// What is so before it begins.
    private var standing: Set<Trait> {
        var traits: Set<Trait> = []
        if wish.targets.count > 1 { traits.insert(.severalContainers) }
        if world.setup.options.zoneListLag > 0 { traits.insert(.lateLists) }
        if wish.isNamed { traits.insert(.namedPerson) }
        if !world.ungranted.isEmpty { traits.insert(.ungranted) }
        if !world.files.isEmpty { traits.insert(.files) }
        if world.setup.singleUseTokens { traits.insert(.singleUseTokens) }
        let (stay, go) = (wish.mustStay(before), wish.mustGo(before))
        for (thing, facts) in before.things {
            if wish.target(thing) == nil, thing.user == "ada" { traits.insert(.elsewhere) }
            guard wish.target(thing) != nil else { continue }
            guard wish.isMeant(thing, facts) else {
                if thing.user == "ben" || thing.scope == "public" { traits.insert(.otherPerson) }
                continue
            }
            if thing.user == "ben" { traits.insert(.sharedRecord) }
            let isKept = stay.contains(thing)
            switch (thing.scope, thing.kind) {
            case ("shared", .zone): traits.insert(.sharedZone)
            case (_, .zone):
                traits.insert(isKept ? .keptZone : .customZones)
                if thing.zone == World.sharedZone { traits.insert(.shared) }
            case ("private", .subscription): traits.insert(.privateSubscription)
            case ("shared", .subscription): traits.insert(.sharedSubscription)
            case (_, .subscription): traits.insert(.publicSubscription)
            case ("public", .record):
                traits.insert(facts.type == "Users" ? .userRecord : .publicRecords)
            case (_, .record): if thing.zone == "_defaultZone" { traits.insert(.defaultZone) }
            }
            if facts.type == World.hiddenType { traits.insert(.hiddenType) }
            guard isKept else { continue }
            if thing.kind == .record { traits.insert(.keptRecord) }
            if thing.kind == .subscription { traits.insert(.keptSubscription) }
        }
        for edge in world.edges where go.contains(edge.target) && before[edge.source] != nil {
            switch edge.action {
            case .none: continue
            case .validate: traits.insert(.validates)
            case .deleteSelf where go.contains(edge.source): traits.insert(.deletesSelf)
            case .deleteSelf:
                let isMine = before[edge.source].map { wish.isMeant(edge.source, $0) } ?? false
                traits.insert(isMine ? .keptRefers : .othersRefer)
            }
        }
        return traits
    }
}

extension Event {
    fileprivate var isDevice: Bool { if case .device = self { true } else { false } }
}
