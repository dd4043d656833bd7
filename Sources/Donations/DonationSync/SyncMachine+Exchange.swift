import CloudModel

/// Where the machine hands over to the exchange.
extension SyncMachine {
    /// Runs the exchange, after the content zones.
    mutating func runExchange(_ turn: inout Turn) throws(Storage.Failure) -> SyncAction {
        guard var exchange else { return try finish(&turn) }
        if try turn.storage.isFenced(exchange.zone.zoneID, at: turn.address) {
            return try finish(&turn)
        }
        let isDirty = try turn.storage.database(at: turn.address).isExchangeDirty
        let step = try exchange.start(&turn, isDirty: isDirty)
        self.exchange = exchange
        return try follow(step, &turn)
    }

    /// Hands an answer to the exchange.
    mutating func exchangeReceived(
        _ reply: Result<CloudReply, CloudError>, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        guard var exchange else { return try finish(&turn) }
        if case .success(.zoneChanges(let items)) = reply {
            switch items.first {
            case .page: try turn.noteAnswer(of: exchange.zone.zoneID)
            case .failure(_, let error) where error.code == .badRequest:
                // Perhaps another user's token.
                try turn.doubtUser()
            case .failure, nil: break
            }
        }
        let step = try exchange.received(reply, &turn)
        self.exchange = exchange
        return try follow(step, &turn)
    }

    private mutating func follow(
        _ step: ExchangeStep, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        switch step {
        case .act(let action):
            switch action {
            case .read, .write:
                // Nothing is read into another user's rows, and none of them is sent to another
                // user. A write is made anew once the user is known: it may be out of date by then.
                if !isIdentified { return ask(then: .next) }
                if try turn.storage.account(at: turn.address).isDoubted {
                    if case .read = action { return ask(then: .action(action)) }
                    return ask(then: .next)
                }
                phase = .exchange
            case .again: phase = .chunk
            case .wait, .idle, .halted: phase = .rest
            }
            return action
        case .finished:
            try turn.changeDatabase { $0.isExchangeDirty = false }
            return try finish(&turn)
        case .zoneNotFound:
            guard let id = exchange?.zone.zoneID else { return try finish(&turn) }
            try turn.changeDatabase { $0.isExchangeDirty = false }
            return try missing(try turn.known(id), nil, &turn)
        case .wait(let reason, let retryAfter):
            return try turn.wait(reason, retryAfter)
        case .halted(let reason): return try turn.halt(reason)
        }
    }
}
