import CloudModel
import Donations

/// Who is signed in.
extension SyncMachine {
    /// Asks who is signed in.
    mutating func ask(then after: After) -> SyncAction {
        phase = .identity(after)
        return .read(.caller)
    }

    /// Notes that the user may be another one.
    func doubtUser(_ storage: inout Storage) throws(Storage.Failure) {
        var account = try storage.account(at: address)
        guard !account.isDoubted else { return }
        account.isDoubted = true
        try storage.setAccount(account, at: address)
    }

    /// The user is known.
    mutating func identified(
        _ user: String, _ after: After, _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        var account = try storage.account(at: address)
        if let known = account.identity, !known.isSame(as: user) {
            try leaveAccount(for: user, &storage)
            return try start(&storage, now: now)
        }
        account.identity = user
        account.isDoubted = false
        try storage.setAccount(account, at: address)
        isIdentified = true
        switch after {
        case .database: return try readDatabase(&storage)
        case .next: return try next(&storage, now)
        case .action(let action):
            phase = .exchange
            return action
        }
    }

    /// The account was left: what belongs to it goes, on this device only.
    mutating func leaveAccount(
        for user: String?, _ storage: inout Storage
    ) throws(Storage.Failure) {
        var account = try storage.account(at: address)
        let rows = try storage.deleteLinked(
            [ContentLink(container: address.container.rawValue)], .here)
        delta.remove(rows, .accountLeft)
        if account.hasDonationZone || exchange != nil {
            let facts = try storage.exchange()
            if facts.isOn || facts.incarnation != nil {
                delta.remove(try storage.removeAllRows(), .accountLeft)
            }
            try storage.removeAllDeletions()
            _ = try storage.removeAllGone()
            try storage.setExchange(ExchangeFacts())
        }
        try storage.forgetDatabases(beside: address)
        if account.isSuspended { try storage.resume(address.container) }
        account.isSuspended = false
        account.identity = user
        account.isDoubted = user == nil
        account.epoch += 1
        try storage.setAccount(account, at: address)
    }
}
