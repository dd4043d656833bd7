package import CloudModel

/// What is stored about users and databases.
package protocol SyncDatabaseStorage: SyncFailing {
    /// The user of a container and environment; the address's scope says nothing here.
    func account(at address: Database.Address) throws(Failure) -> SyncAccount
    /// Stores the user of a container and environment.
    mutating func setAccount(
        _ account: SyncAccount, at address: Database.Address) throws(Failure)

    /// The state of a database; a new one when nothing is stored.
    func database(at address: Database.Address) throws(Failure) -> SyncDatabase
    /// Stores the state of a database.
    mutating func setDatabase(
        _ database: SyncDatabase, at address: Database.Address) throws(Failure)

    /// Forgets all databases of the container and environment: their states, zones, noted names,
    /// and refusals of links. Waits, fences, reports, the rescue log, the account, everything of
    /// the exchange, and the donations stay.
    mutating func forgetDatabases(beside address: Database.Address) throws(Failure)

    /// All that was ever counted for a database.
    func report(at address: Database.Address) throws(Failure) -> SyncReport
    /// Adds to what was counted.
    mutating func addReport(
        _ report: SyncReport, at address: Database.Address) throws(Failure)
}
