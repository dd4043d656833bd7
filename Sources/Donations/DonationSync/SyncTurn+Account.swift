import Donations

/// Whose donations these are.
extension SyncTurn {
    /// Notes that the user may be another one.
    mutating func doubtUser() throws(Storage.Failure) {
        try changeAccount { $0.isDoubted = true }
    }

    /// The account was left: what belongs to it goes, on this device only.
    mutating func leaveAccount(for user: String?) throws(Storage.Failure) {
        let account = try storage.account(at: address)
        let rows = try storage.deleteLinked(
            [ContentLink(container: address.container.rawValue)], .here)
        report.remove(rows, .accountLeft)
        if account.hasDonationZone || settings.donationZone != nil {
            let facts = try storage.exchange()
            if facts.isOn || facts.incarnation != nil {
                report.remove(try storage.removeAllRows(), .accountLeft)
            }
            try storage.removeAllDeletions()
            _ = try storage.removeAllGone()
            try storage.setExchange(ExchangeFacts())
        }
        try storage.forgetDatabases(beside: address)
        try resume()
        try changeAccount {
            $0.identity = user
            $0.isDoubted = user == nil
            $0.epoch += 1
        }
    }

    /// The container is restricted: its donations rest until a read succeeds again.
    mutating func suspend() throws(Storage.Failure) {
        guard try !storage.account(at: address).isSuspended else { return }
        try changeAccount { $0.isSuspended = true }
        try storage.suspend(address.container)
    }

    /// A read succeeded, or another user is there.
    mutating func resume() throws(Storage.Failure) {
        guard try storage.account(at: address).isSuspended else { return }
        try changeAccount { $0.isSuspended = false }
        try storage.resume(address.container)
    }

    /// The service may have gone back in time, and rows that it took after what was read last are
    /// not there: no feed would tell.
    mutating func readExchangeAnew() throws(Storage.Failure) {
        guard settings.donationZone != nil else { return }
        var facts = try storage.exchange()
        guard facts.incarnation != nil else { return }
        facts.beginScan()
        try storage.setExchange(facts)
    }
}
