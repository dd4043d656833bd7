import AsyncOperations
import CloudKit
import Foundation

/// An app's delegate for tests: writes down what it is told, and sends what it is given.
final class SyncedApp: CKSyncEngineDelegate {
    struct Known {
        var words: [String] = []
        var records: [CKRecord.ID: CKRecord] = [:]
        var fetched: [CKRecord.ID: CKRecord] = [:]
        var deleted: [CKDatabase.RecordZoneChange.Deletion] = []
        var failures: [CKError.Code] = []
        var zonesGone: [CKDatabase.DatabaseChange.Deletion] = []
        var accounts: [CKSyncEngine.Event.AccountChange.ChangeType] = []
        var state: CKSyncEngine.State.Serialization?
        var reasons: Set<CKSyncEngine.SyncReason> = []
        /// What the app does after a failure.
        var onFailure: (@Sendable (CKRecord, CKError, CKSyncEngine) -> Void)?
        /// What the app does when it is called, by the name of the event or method.
        var onCall: (@Sendable (String, CKSyncEngine) async -> Void)?
    }
    let known = Locked(Known())
    /// Told of each event.
    let events: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation

    init() { (events, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000)) }

    /// An engine of this app.
    func engine(
        _ database: CKDatabase, automatically: Bool = false, clock: some Clock<Duration>,
        resuming: Bool = false
    ) -> CKSyncEngine {
        var configuration = CKSyncEngine.Configuration(
            database: database,
            stateSerialization: resuming ? known.withLock { $0.state } : nil, delegate: self)
        configuration.automaticallySync = automatically
        return CKSyncEngine(configuration, clock: clock, seed: 7)
    }

    /// Waits for an event of a name.
    func wait(for word: String) async {
        for await event in events where event == word { return }
    }

    /// The events since the last call, but for states.
    func words() -> [String] {
        known.withLock { known in
            defer { known.words = [] }
            return known.words.filter { $0 != "stateUpdate" }
        }
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        let word = String("\(event)".prefix { $0 != ":" })
        let failed: [CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave] =
            known.withLock { known in
                known.words.append(word)
                switch event {
                case .stateUpdate(let update): known.state = update.stateSerialization
                case .accountChange(let change): known.accounts.append(change.changeType)
                case .fetchedDatabaseChanges(let changes): known.zonesGone += changes.deletions
                case .fetchedRecordZoneChanges(let changes):
                    for change in changes.modifications {
                        known.fetched[change.record.recordID] = change.record
                    }
                    for change in changes.deletions { known.fetched[change.recordID] = nil }
                    known.deleted += changes.deletions
                case .sentRecordZoneChanges(let sent):
                    for record in sent.savedRecords { known.records[record.recordID] = record }
                    known.failures += sent.failedRecordSaves.map(\.error.code)
                    known.failures += sent.failedRecordDeletes.values.map(\.code)
                    return sent.failedRecordSaves
                case .sentDatabaseChanges(let sent):
                    known.failures += sent.failedZoneSaves.map(\.error.code)
                case .willSendChanges(let send): known.reasons.insert(send.context.reason)
                default: break
                }
                return []
            }
        let onFailure = known.withLock { $0.onFailure }
        for save in failed { onFailure?(save.record, save.error, syncEngine) }
        await known.withLock { $0.onCall }?(word, syncEngine)
        tell.yield(word)
    }

    func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions {
        await known.withLock { $0.onCall }?("nextFetchChangesOptions", syncEngine)
        return context.options
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        await known.withLock { $0.onCall }?("nextRecordZoneChangeBatch", syncEngine)
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        let records = known.withLock { $0.records }
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { records[$0] }
    }

    /// Gives the engine records to save.
    func save(_ records: [CKRecord], _ engine: CKSyncEngine) {
        known.withLock { known in for record in records { known.records[record.recordID] = record }
        }
        engine.state.add(pendingRecordZoneChanges: records.map { .saveRecord($0.recordID) })
    }
}
