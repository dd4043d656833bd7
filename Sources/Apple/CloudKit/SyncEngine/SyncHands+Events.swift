import CloudModel
import RecordSync

// What the app is told, from what the machine says and the last answers have.
extension SyncHands {
    func context(
        of run: SyncRun, _ options: FetchOptions, _ engine: CKSyncEngine
    ) -> CKSyncEngine.FetchChangesContext {
        CKSyncEngine.FetchChangesContext(
            reason: run.isManual ? .manual : .scheduled,
            options: CKSyncEngine.FetchChangesOptions(
                options, driver.group(of: run), in: engine.database.databaseScope))
    }

    func context(of run: SyncRun, _ engine: CKSyncEngine) -> CKSyncEngine.SendChangesContext {
        var scope = CKSyncEngine.SendChangesOptions.Scope.all
        if case .send(let model) = run.job {
            scope = CKSyncEngine.SendChangesOptions.Scope(
                model, in: engine.database.databaseScope)
        }
        return CKSyncEngine.SendChangesContext(
            reason: run.isManual ? .manual : .scheduled,
            options: CKSyncEngine.SendChangesOptions(
                scope: scope, operationGroup: driver.group(of: run)))
    }

    func events(for notice: SyncNotice, _ engine: CKSyncEngine) -> [CKSyncEngine.Event] {
        let scope = engine.database.databaseScope
        func native(_ zone: RecordZone.ID) -> CKRecordZone.ID { CKRecordZone.ID(zone, in: scope) }
        switch notice {
        case .state(let state): return [.stateUpdate(.init(stateSerialization: .init(state)))]
        case .account(let change):
            return [.accountChange(.init(changeType: .init(change)))]
        case .willFetch(let run, let options):
            return [.willFetchChanges(.init(context: context(of: run, options, engine)))]
        case .didFetch(let run, let options):
            return [.didFetchChanges(.init(context: context(of: run, options, engine)))]
        case .willFetchZone(let zone):
            return [.willFetchRecordZoneChanges(.init(zoneID: native(zone)))]
        case .didFetchZone(let zone, let failure):
            let error = failure.map { $0 == .cancelled ? SyncDriver.cancelled : lastError }
            return [
                .didFetchRecordZoneChanges(.init(zoneID: native(zone), error: error ?? nil))
            ]
        case .databaseChanges:
            guard let page = databasePage else { return [] }
            return [
                .fetchedDatabaseChanges(
                    .init(
                        modifications: page.changed.map { .init(zoneID: $0) },
                        deletions: page.deleted))
            ]
        case .zoneGone(let zone):
            return [
                .fetchedDatabaseChanges(
                    .init(
                        modifications: [],
                        deletions: [.init(zoneID: native(zone), reason: lastZoneReason)]))
            ]
        case .zoneChanges(_, let types):
            guard let page = zonePage else { return [] }
            return [
                .fetchedRecordZoneChanges(
                    .init(
                        modifications: page.changed.compactMap { item in
                            item.result.value.map { .init(record: $0) }
                        },
                        deletions: zip(page.deleted, types).map {
                            .init(recordID: $0, recordType: $1)
                        }))
            ]
        case .recordsGone(let zone, let gone):
            let zoneID = native(zone)
            return [
                .fetchedRecordZoneChanges(
                    .init(
                        modifications: [],
                        deletions: gone.map {
                            .init(
                                recordID: CKRecord.ID(recordName: $0.name, zoneID: zoneID),
                                recordType: $0.type)
                        }))
            ]
        case .willSend(let run):
            return [.willSendChanges(.init(context: context(of: run, engine)))]
        case .didSend(let run):
            return [.didSendChanges(.init(context: context(of: run, engine)))]
        case .sentZones: return [.sentDatabaseChanges(sentZones)]
        case .sentRecords: return [.sentRecordZoneChanges(sentRecords)]
        }
    }

    /// Why the zone that the last request missed went, as far as its error says.
    private var lastZoneReason: CKDatabase.DatabaseChange.Deletion.Reason {
        if lastError?.code == .userDeletedZone { return .purged }
        return lastError?.userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true
            ? .encryptedDataReset : .deleted
    }

    private var sentZones: CKSyncEngine.Event.SentDatabaseChanges {
        var failed: [CKRecordZone.ID: CKError] = [:]
        for item in zones.deleted { failed[item.id] = item.result.failure }
        return .init(
            savedZones: zones.saved.compactMap { $0.result.value },
            failedZoneSaves: zones.saved.compactMap { item in
                item.result.failure.map { .init(zone: CKRecordZone(zoneID: item.id), error: $0) }
            },
            deletedZoneIDs: zones.deleted.filter { $0.result.failure == nil }.map(\.id),
            failedZoneDeletes: failed)
    }

    private var sentRecords: CKSyncEngine.Event.SentRecordZoneChanges {
        var failed: [CKRecord.ID: CKError] = [:]
        for item in records.deleted { failed[item.id] = item.result.failure }
        return .init(
            savedRecords: records.saved.compactMap { $0.result.value },
            failedRecordSaves: zip(sent, records.saved).compactMap { record, item in
                item.result.failure.map { .init(record: record, error: $0) }
            },
            deletedRecordIDs: records.deleted.filter { $0.result.failure == nil }.map(\.id),
            failedRecordDeletes: failed)
    }
}

extension CKSyncEngine.Event.AccountChange.ChangeType {
    init(_ change: SyncAccountChange) {
        func id(_ user: String) -> CKRecord.ID { CKRecord.ID(recordName: user) }
        switch change {
        case .signIn(let user): self = .signIn(currentUser: id(user))
        case .signOut(let user): self = .signOut(previousUser: id(user))
        case .switchAccounts(let from, let to):
            self = .switchAccounts(previousUser: id(from), currentUser: id(to))
        }
    }
}
