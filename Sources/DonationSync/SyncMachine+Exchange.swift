import CloudModel

/// Where the machine hands over to the exchange.
extension SyncMachine {
    /// Runs the exchange, after the content zones.
    mutating func runExchange(
        _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        guard var exchange else { return try finish(&storage, now) }
        if rules.honoursFences, try storage.isFenced(exchange.zone.zoneID, at: address) {
            return try finish(&storage, now)
        }
        let isDirty = try storage.database(at: address).isExchangeDirty
        let step = try exchange.start(
            &storage, &entropy, isDirty: isDirty, now: now, report: &delta)
        self.exchange = exchange
        return try follow(step, &storage, now)
    }

    /// Hands an answer to the exchange.
    mutating func exchangeReceived(
        _ reply: Result<CloudReply, CloudError>, _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        guard var exchange else { return try finish(&storage, now) }
        if case .success(.zoneChanges(let items)) = reply {
            switch items.first {
            case .page: try noteAnswer(of: exchange.zone.zoneID, &storage)
            case .failure(_, let error) where error.code == .badRequest && rules.checksIdentity:
                // Perhaps another user's token.
                try doubtUser(&storage)
            case .failure, nil: break
            }
        }
        let step = try exchange.received(
            reply, &storage, &entropy, now: now, report: &delta)
        self.exchange = exchange
        return try follow(step, &storage, now)
    }

    /// A zone that a whole list lacks, or that no list has named yet, has answered itself, and so
    /// is there.
    private func noteAnswer(
        of id: RecordZone.ID, _ storage: inout Storage
    ) throws(Storage.Failure) {
        var zone = try storage.zone(id, at: address) ?? SyncZone(id)
        guard zone.isUnlisted || zone.status == .unknown else { return }
        if zone.status == .unknown {
            zone.listGeneration = try storage.database(at: address).generation
        }
        zone.status = .live
        zone.isUnlisted = false
        try storage.setZone(zone, at: address)
    }

    private mutating func follow(
        _ step: ExchangeStep, _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        switch step {
        case .act(let action):
            switch action {
            case .read, .write:
                // Nothing is read into another user's rows, and nothing of them sent to him. What is
                // to be sent is made up anew when the user is known: by then it may be out of date.
                if rules.checksIdentity, !isIdentified { return ask(then: .next) }
                if rules.checksIdentity, try storage.account(at: address).isDoubted {
                    if case .read = action { return ask(then: .action(action)) }
                    return ask(then: .next)
                }
                phase = .exchange
            case .again: phase = .chunk
            case .wait, .idle, .halted: phase = .rest
            }
            return action
        case .finished:
            var database = try storage.database(at: address)
            if database.isExchangeDirty {
                database.isExchangeDirty = false
                try storage.setDatabase(database, at: address)
            }
            return try finish(&storage, now)
        case .zoneNotFound:
            guard let id = exchange?.zone.zoneID else { return try finish(&storage, now) }
            var database = try storage.database(at: address)
            database.isExchangeDirty = false
            try storage.setDatabase(database, at: address)
            let zone = try storage.zone(id, at: address) ?? SyncZone(id)
            return try missing(zone, nil, &storage, now)
        case .wait(let reason, let retryAfter):
            return try wait(reason, retryAfter, &storage, now)
        case .halted(let reason): return try halt(reason, &storage)
        }
    }
}
