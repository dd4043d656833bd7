import CloudModel

/// One fetch, from its first question to its last event: decides what comes next.
struct FetchRun: Sendable {
    private enum Stage {
        case beginning
        case tellingWill
        case database
        case tellingDatabase(SyncAnswer.DatabasePage)
        case options
        case tellingWillZone(RecordZone.ID)
        case zone(RecordZone.ID)
        case tellingZone(RecordZone.ID, SyncAnswer.ZonePage)
        case tellingGone(RecordZone.ID, [KnownRecords.Entry])
        case tellingZoneGone(RecordZone.ID)
        case tellingDidZone
        case tellingDid
        case over
    }

    let run: SyncRun
    private var options: FetchOptions
    private var stage = Stage.beginning
    /// The zone for which a `willFetchZone` has no `didFetchZone` yet.
    private var current: RecordZone.ID?
    /// Zones not to be asked again in this run.
    private var failed: Set<RecordZone.ID> = []
    /// How often each token was given up in this run; nil is the database's.
    private var restarts: [RecordZone.ID?: Int] = [:]
    private var end = SyncEnd.completed
    /// The longest wait that was asked for.
    private(set) var retryAfter: Duration?

    /// A feed that refuses the tokens it gave is left for another run.
    private static let restartsMax = 2
    /// Records in one event of those that went unseen.
    private static let goneMax = 400

    init(_ run: SyncRun, _ options: FetchOptions) {
        self.run = run
        self.options = options
    }

    /// How the run ends, when it is over.
    var ending: SyncEnd? { if case .over = stage { end } else { nil } }

    /// What comes next; nil when the run is over.
    mutating func next(
        after answer: SyncAnswer, _ state: inout SyncState, isCancelled: Bool
    ) -> SyncEffect? {
        if isCancelled, !isStopped { end = .failed(.cancelled) }
        switch (stage, answer) {
        case (.beginning, _):
            stage = .tellingWill
            return .tell(.willFetch(run, options))
        case (.tellingWill, _): return askDatabase(&state)
        case (.database, .databasePage(let page)): return take(page, &state)
        case (.tellingDatabase(let page), _): return took(page, &state)
        case (.options, .options(let options)):
            self.options = options
            return askZone(&state)
        case (.tellingWillZone(let zone), _): return ask(zone, &state)
        case (.zone(let zone), .zonePage(let page)): return take(page, of: zone, &state)
        case (.tellingZone(let zone, let page), _): return took(page, of: zone, &state)
        case (.tellingGone(let zone, let gone), _):
            for entry in gone { state.zones[zone]?.known.forget(entry.name) }
            return finishReading(zone, &state)
        case (.tellingZoneGone(let zone), _):
            state.zones[zone] = nil
            return leaveZone(nil)
        case (.tellingDidZone, _): return nextZone(state)
        case (.tellingDid, _), (.over, _):
            stage = .over
            return nil
        case (.database, _), (.options, _), (.zone, _):
            preconditionFailure("the response is to another request")
        }
    }

    private var isStopped: Bool { if case .failed = end { true } else { false } }

    // MARK: The database

    private mutating func askDatabase(_ state: inout SyncState) -> SyncEffect {
        guard !isStopped else { return finish() }
        // Zones are known before the first listing, too: those that were sent.
        if state.token == nil {
            state.isListedWhole = true
            for zone in state.zones.keys { state.zones[zone]?.isDoubted = true }
        }
        stage = .database
        return .fetchDatabase(state.token)
    }

    private mutating func take(
        _ page: Result<SyncAnswer.DatabasePage, SyncFailure>, _ state: inout SyncState
    ) -> SyncEffect {
        switch page {
        case .failure(.tokenExpired) where state.token != nil && mayRestart(nil):
            state.token = nil
            return askDatabase(&state)
        case .failure(let failure):
            stop(failure)
            return finish()
        case .success(let page):
            Self.drop(Set(page.deleted.filter(\.isPurged).map(\.zone)), &state)
            guard !page.changed.isEmpty || !page.deleted.isEmpty else { return took(page, &state) }
            stage = .tellingDatabase(page)
            return .tell(.databaseChanges)
        }
    }

    /// What the user erased is not to be uploaded again; what the app adds on being told is.
    private static func drop(_ purged: Set<RecordZone.ID>, _ state: inout SyncState) {
        guard !purged.isEmpty else { return }
        state.records.removeAll { purged.contains($0.id.zoneID) }
        state.zoneChanges.removeAll { purged.contains($0.id) }
    }

    private mutating func took(
        _ page: SyncAnswer.DatabasePage, _ state: inout SyncState
    ) -> SyncEffect {
        for deletion in page.deleted { state.zones[deletion.zone] = nil }
        for zone in page.changed {
            state.zones[zone, default: ZoneState()].hasNews = true
            state.zones[zone]?.isDoubted = false
        }
        state.token = page.token
        guard !page.moreComing else { return askDatabase(&state) }
        if state.isListedWhole {
            state.isListedWhole = false
            for (zone, known) in state.zones where known.isDoubted {
                state.zones[zone]?.hasNews = true
            }
        }
        return nextZone(state)
    }

    // MARK: Zones

    private mutating func nextZone(_ state: SyncState) -> SyncEffect {
        guard !isStopped else { return leaveZone(.cancelled) }
        guard choice(state) != nil else {
            return current == nil ? finish() : leaveZone(nil)
        }
        stage = .options
        return .askOptions(run, options)
    }

    /// The zone to go on with: a prioritized one, the one that is open, any other.
    private func choice(_ state: SyncState) -> RecordZone.ID? {
        func isMeant(_ zone: RecordZone.ID) -> Bool {
            options.scope.contains(zone) && !failed.contains(zone)
                && state.zones[zone]?.hasNews == true
        }
        if let first = options.prioritized.first(where: isMeant) { return first }
        if let current, isMeant(current) { return current }
        return state.zones.keys.lazy.filter(isMeant).min {
            ($0.zoneName, $0.ownerRecordName ?? "") < ($1.zoneName, $1.ownerRecordName ?? "")
        }
    }

    private mutating func askZone(_ state: inout SyncState) -> SyncEffect {
        guard !isStopped else { return leaveZone(.cancelled) }
        guard let zone = choice(state) else {
            return current == nil ? finish() : leaveZone(nil)
        }
        if zone == current { return ask(zone, &state) }
        // Another one is more urgent now: this one's turn comes again.
        guard current == nil else { return leaveZone(nil) }
        current = zone
        stage = .tellingWillZone(zone)
        return .tell(.willFetchZone(zone))
    }

    private mutating func ask(_ zone: RecordZone.ID, _ state: inout SyncState) -> SyncEffect {
        guard !isStopped else { return leaveZone(.cancelled) }
        // Records are known before the first reading, too: those that were sent.
        if state.zones[zone]?.token == nil { state.zones[zone]?.readWhole() }
        stage = .zone(zone)
        return .fetchZone(zone, state.zones[zone]?.token)
    }

    private mutating func take(
        _ page: Result<SyncAnswer.ZonePage, SyncFailure>, of zone: RecordZone.ID,
        _ state: inout SyncState
    ) -> SyncEffect {
        switch page {
        case .success(let page):
            state.zones[zone]?.isDoubted = false
            guard !page.changed.isEmpty || !page.deleted.isEmpty else {
                return took(page, of: zone, &state)
            }
            stage = .tellingZone(zone, page)
            let known = state.zones[zone]?.known ?? KnownRecords()
            return .tell(
                .zoneChanges(zone, deletedTypes: page.deleted.map { known.type(of: $0) }))
        case .failure(.tokenExpired) where state.zones[zone]?.token != nil && mayRestart(zone):
            state.zones[zone]?.token = nil
            return ask(zone, &state)
        case .failure(.zoneMissing(let isPurged)) where state.zones[zone]?.isDoubted == true:
            if isPurged { Self.drop([zone], &state) }
            stage = .tellingZoneGone(zone)
            return .tell(.zoneGone(zone))
        case .failure(let failure):
            failed.insert(zone)
            switch failure {
            case .signedOut, .transient, .cancelled: stop(failure)
            case .busy, .tokenExpired, .zoneMissing, .tooLarge, .lasting:
                note(failure)
                if !isStopped { end = .partly }
            }
            return leaveZone(failure)
        }
    }

    private mutating func took(
        _ page: SyncAnswer.ZonePage, of zone: RecordZone.ID, _ state: inout SyncState
    ) -> SyncEffect {
        for entry in page.changed { state.zones[zone]?.known.note(entry) }
        for name in page.deleted { state.zones[zone]?.known.forget(name) }
        state.zones[zone]?.token = page.token
        return page.moreComing ? nextZone(state) : finishReading(zone, &state)
    }

    /// The feed is at its end: what a reading from the beginning did not show is gone.
    private mutating func finishReading(
        _ zone: RecordZone.ID, _ state: inout SyncState
    ) -> SyncEffect {
        if let known = state.zones[zone], known.isReadWhole {
            let gone = known.known.unseen(countMax: Self.goneMax)
            guard gone.isEmpty else {
                stage = .tellingGone(zone, gone)
                return .tell(.recordsGone(zone, gone))
            }
            state.zones[zone]?.isReadWhole = false
        }
        state.zones[zone]?.hasNews = false
        return leaveZone(nil)
    }

    /// Ends the open zone's turn, and goes on with the others.
    private mutating func leaveZone(_ failure: SyncFailure?) -> SyncEffect {
        guard let zone = current else { return finish() }
        current = nil
        stage = .tellingDidZone
        return .tell(.didFetchZone(zone, failure))
    }

    // MARK: The end

    private mutating func finish() -> SyncEffect {
        stage = .tellingDid
        return .tell(.didFetch(run, options))
    }

    private mutating func mayRestart(_ feed: RecordZone.ID?) -> Bool {
        restarts[feed, default: 0] += 1
        return restarts[feed, default: 0] <= Self.restartsMax
    }

    private mutating func stop(_ failure: SyncFailure) {
        note(failure)
        if !isStopped { end = .failed(failure) }
    }

    private mutating func note(_ failure: SyncFailure) {
        guard let wait = failure.retryAfter else { return }
        retryAfter = max(retryAfter ?? .zero, wait)
    }
}
