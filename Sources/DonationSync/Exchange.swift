package import CloudModel
package import Donations

/// What the exchange asks of the machine that runs it.
package enum ExchangeStep: Sendable, Hashable {
    /// Do this and hand the answer to `received`. Only `read`, `write` and `again` come here.
    case act(SyncAction)
    /// Nothing is left to do in this round.
    case finished
    /// The donation zone was not found although it was alive: the machine asks the feed.
    case zoneNotFound
    /// The service asks for time: the machine waits, and starts the round again then.
    case wait(SyncWait, retryAfter: Duration?)
    /// The round cannot go on.
    case halted(SyncHalt)
}

/// The exchange of donations between a user's devices, in the app's own zone: opt-in.
///
/// Runs inside the machine of the private database of the app's default container, after the
/// content zones. Failures that have nothing to do with the exchange, such as no network, are
/// the machine's; every other answer comes here.
///
/// A round, in this order (R3): read the zone's feed, so that a device that was rolled back finds
/// out before it writes (R9); push own deletions; delete the records of rows that went; read what
/// others did meanwhile; upload; read again; confirm what was seen; collect what all have
/// confirmed. Everything is decided from the storage, so that a round can end anywhere.
package struct Exchange: Sendable {
    package let zone: DonationZone
    let settings: SyncSettings
    let digest: SyncDigest
    /// What was asked last.
    var open: ExchangeRequest?
    /// What this round has done so far; a crash forgets it.
    var round = ExchangeRound()

    var rules: SyncRules { settings.rules }

    /// The exchange in a zone.
    package init(zone: DonationZone, settings: SyncSettings, digest: SyncDigest) {
        self.zone = zone
        self.settings = settings
        self.digest = digest
    }

    /// Begins a round, or goes on after a crash; `isDirty`: the feed said the zone changed.
    package mutating func start<Storage: SyncStorage>(
        _ storage: inout Storage, _ entropy: inout SyncEntropy, isDirty: Bool, now: Timestamp,
        report: inout SyncReport
    ) throws(Storage.Failure) -> ExchangeStep {
        open = nil
        round = ExchangeRound()
        return try turn(&storage, &entropy, now, &report) {
            (exchange, storage, turn) throws(Storage.Failure) in
            guard try exchange.mayRun(storage, turn) else { return .finished }
            let hasWork = try exchange.hasWork(storage, turn)
            guard isDirty || hasWork else { return .finished }
            exchange.round.mustRead = true
            return try exchange.next(&storage, &turn)
        }
    }

    /// Takes the answer to what was asked last.
    package mutating func received<Storage: SyncStorage>(
        _ reply: Result<CloudReply, CloudError>, _ storage: inout Storage,
        _ entropy: inout SyncEntropy, now: Timestamp, report: inout SyncReport
    ) throws(Storage.Failure) -> ExchangeStep {
        guard let request = open else { return .finished }
        open = nil
        return try turn(&storage, &entropy, now, &report) {
            (exchange, storage, turn) throws(Storage.Failure) in
            switch reply {
            case .success(let reply):
                if let step = try exchange.take(reply, to: request, &storage, &turn) {
                    return step
                }
            case .failure(let error):
                if let step = try exchange.fail(error, request, &storage, &turn) { return step }
            }
            guard !exchange.round.isStuck else { return Self.unexpected }
            return try exchange.next(&storage, &turn)
        }
    }

    /// Runs a part of a round with the facts at hand, and stores them.
    private mutating func turn<Storage: SyncStorage>(
        _ storage: inout Storage, _ entropy: inout SyncEntropy, _ now: Timestamp,
        _ report: inout SyncReport,
        _ body: (inout Exchange, inout Storage, inout ExchangeTurn) throws(Storage.Failure) ->
            ExchangeStep
    ) throws(Storage.Failure) -> ExchangeStep {
        let facts = try storage.exchange()
        var turn = ExchangeTurn(facts: facts, entropy: entropy, now: now, report: report)
        let step = try body(&self, &storage, &turn)
        if turn.facts != facts { try storage.setExchange(turn.facts) }
        entropy = turn.entropy
        report = turn.report
        return step
    }

    /// Journals a deletion that is to act on all devices. Called in the transaction of the local
    /// deletion (R12), also while uploading is off (R13); does nothing for selectors that do
    /// not travel, nor on a device that takes no part in the exchange.
    package static func noteDeletion<Storage: SyncStorage>(
        _ selector: DonationSelector, _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) {
        var facts = try storage.exchange()
        guard facts.isOn || facts.incarnation != nil else { return }
        for part in selector.travelling {
            facts.sequence += 1
            try storage.addOwnDeletion(
                OwnDeletion(sequence: facts.sequence, selector: part, at: now))
        }
        try storage.setExchange(facts)
    }

    /// The deletions that a storage knows, to be asked before rows are made again from content
    /// alone: ``ExchangeKnowledge/forbidsRevival(of:)``.
    package static func knowledge<Storage: SyncStorage>(
        _ storage: Storage, digest: SyncDigest
    ) throws(Storage.Failure) -> ExchangeKnowledge {
        let facts = try storage.exchange()
        return ExchangeKnowledge(
            try storage.deletions(), own: try storage.ownDeletions(limit: .max),
            ExchangeKeys(key: facts.zoneKey ?? [], digest: digest))
    }

    /// Switches the exchange of donations on or off: the user's act. Switched on again, all that
    /// was not taken meanwhile is read.
    package static func setOn<Storage: SyncStorage>(
        _ isOn: Bool, includesItems: Bool = false, _ storage: inout Storage
    ) throws(Storage.Failure) {
        var facts = try storage.exchange()
        if isOn, !facts.isOn || includesItems && !facts.includesItems { facts.beginScan() }
        facts.isOn = isOn
        facts.includesItems = includesItems
        try storage.setExchange(facts)
    }
}

extension DonationSelector {
    /// The selectors that travel in its place: none when it means nothing to other devices,
    /// several when it names very much.
    fileprivate var travelling: [DonationSelector] {
        func parts(_ names: [String], _ make: ([String]) -> DonationSelector) -> [DonationSelector]
        {
            stride(from: 0, to: names.count, by: SyncDeletion.keysMax).map {
                make(Array(names[$0..<min(names.count, $0 + SyncDeletion.keysMax)]))
            }
        }
        let all: [DonationSelector] =
            switch self {
            case .interactions(let names): parts(names) { .interactions(identifiers: $0) }
            case .activities(let names): parts(names) { .activities(persistentIdentifiers: $0) }
            case .searchableItems(let names, let index):
                parts(names) { .searchableItems(identifiers: $0, indexName: index) }
            case .searchableDomains(let names, let index):
                parts(names) { .searchableDomains($0, indexName: index) }
            case .appIntents(let names): parts(names) { .appIntents(identifiers: $0) }
            case .appEntities(let type, .some(let names)):
                parts(names) { .appEntities(type: type, identifiers: $0) }
            default: [self]
            }
        return all.filter { ExchangeSelector($0, .blank) != nil }
    }
}
