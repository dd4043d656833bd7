/// Everything a ``SyncMachine`` keeps, and the donations it acts on.
///
/// Each call of the machine runs inside one transaction of the storage: what a page brought, the
/// token behind it and the list of what is left to do are stored together or not at all. A
/// failure inside means that nothing of the transaction is kept, and that the machine's copy from
/// before the call is the one to go on with.
package protocol SyncStorage: SyncDatabaseStorage, SyncZoneStorage, SyncLinkStorage,
    SyncFenceStorage, ExchangeStorage
{}

/// Something that may fail while it stores.
package protocol SyncFailing {
    /// Why the storage failed; `Never` for one in memory.
    associatedtype Failure: Error
}
