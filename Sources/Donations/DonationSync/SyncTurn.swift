import Basics
import CloudModel
import Donations

/// What one call of a machine works with: the storage of its transaction, the time, chance, and
/// what is counted.
struct SyncTurn<Storage: SyncStorage> {
    var storage: Storage
    let settings: SyncSettings
    let digest: SyncDigest
    var entropy: SyncEntropy
    let now: Timestamp
    var report = SyncReport()

    var address: Database.Address { settings.address }

    /// Changes what is stored about the database.
    mutating func changeDatabase(
        _ change: (inout SyncDatabase) -> Void
    ) throws(Storage.Failure) {
        let old = try storage.database(at: address)
        var database = old
        change(&database)
        if database != old { try storage.setDatabase(database, at: address) }
    }

    /// Changes what is stored about the user.
    mutating func changeAccount(_ change: (inout SyncAccount) -> Void) throws(Storage.Failure) {
        let old = try storage.account(at: address)
        var account = old
        change(&account)
        if account != old { try storage.setAccount(account, at: address) }
    }
}
