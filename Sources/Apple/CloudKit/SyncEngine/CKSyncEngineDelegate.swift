/// What an app does for its engine. Mirrors Apple's `CKSyncEngineDelegate`.
///
/// The methods are called one at a time. They cannot await ``CKSyncEngine/fetchChanges(_:)`` or
/// ``CKSyncEngine/sendChanges(_:)`` of the engine that calls them, other than in `Task.detached`.
public protocol CKSyncEngineDelegate: AnyObject, Sendable {
    /// Something happened. The same changes can come again after a crash.
    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async

    /// What to send next; nil when there is nothing more in the context's scope.
    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch?

    /// How to go on with a fetch; asked before each request for a zone's changes.
    func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions
}

extension CKSyncEngineDelegate {
    /// Goes on as before.
    public func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions { context.options }
}
