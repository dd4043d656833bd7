import AsyncOperations
import CloudModel
import Foundation
import RecordSync

/// Does what a machine asks for, with a database and a delegate; keeps the last answers, for the
/// events that tell of them.
struct SyncHands {
    let driver: SyncDriver
    /// The database over one connection, from the question who is signed in to the run's end.
    private var database: CKDatabase?
    var databasePage: DatabasePageOfChanges?
    var zonePage: ZonePageOfChanges?
    var zones = ZoneChanges()
    var records = RecordChanges()
    private var batch: [CKRecord] = []
    /// What the last request failed with, and single items of the run.
    var lastError: CKError?
    private var itemErrors: [AnyHashable: any Error] = [:]

    init(_ driver: SyncDriver) { self.driver = driver }

    mutating func answer(
        to effect: SyncEffect, _ engine: CKSyncEngine, _ delegate: any CKSyncEngineDelegate
    ) async -> SyncAnswer {
        switch effect {
        case .identify: return .user(await identify(engine.database))
        case .fetchDatabase(let token): return .databasePage(await fetchDatabase(token))
        case .fetchZone(let zone, let token): return .zonePage(await fetch(zone, token))
        case .askOptions(let run, let options):
            let context = context(of: run, options, engine)
            let answer = await driver.call {
                await delegate.nextFetchChangesOptions(context, syncEngine: engine)
            }
            return .options(answer.model(in: engine.database.databaseScope))
        case .askBatch(let run):
            let context = context(of: run, engine)
            let answer = await driver.call {
                await delegate.nextRecordZoneChangeBatch(context, syncEngine: engine)
            }
            return .batch(take(answer, engine.database.databaseScope))
        case .sendZones(let changes): return .results(await send(changes, engine.database))
        case .sendRecords(let part): return .results(await send(part, engine.database))
        case .tell(let notice):
            for event in events(for: notice, engine) {
                await driver.call { await delegate.handleEvent(event, syncEngine: engine) }
            }
            return .done
        case .finish(let run, let end):
            driver.finish(run, error(for: end))
            return .done
        case .rest: return .done
        }
    }

    private func error(for end: SyncEnd) -> CKError? {
        switch end {
        case .completed: nil
        case .partly: .partialFailure(itemErrors, "sync some items")
        case .failed(.cancelled): SyncDriver.cancelled
        case .failed: lastError ?? CKError(.internalError, "the request failed")
        }
    }

    /// What a request gave, and what its failure means.
    private mutating func note<Value>(
        _ result: Result<Value, CKError>
    ) -> Result<Value, SyncFailure> {
        result.mapError { error in
            lastError = error
            return SyncFailure(error)
        }
    }

    // MARK: Requests

    /// Asks who is signed in, over the connection that the run's requests will take.
    private mutating func identify(_ base: CKDatabase) async -> Result<String, SyncFailure> {
        itemErrors = [:]
        lastError = nil
        let place = ContainerPlace(
            given: base.place.given, connection: base.place.connection ?? .processWide)
        database = CKDatabase(place, base.databaseScope)
        let home = CKDatabase(place, .private)
        let isNobody = Locked(false)
        let result = await driver.cancellable { () async throws(CKError) in
            let user = try await home.ask { database throws(CloudError) in
                do throws(CloudError) { return try await database.caller() } catch {
                    isNobody.withLock { $0 = error.code == .authenticationRequired }
                    throw error
                }
            }
            if let name = place.identifier {
                place.accounts.noteUser(user.userRecordName, in: name)
            }
            return user.userRecordName
        }
        let user = note(result).mapError { failure in
            // A credential that is refused, or none, says nothing about who is signed in: the
            // app must not be told to delete what it has.
            failure == .signedOut && !isNobody.withLock { $0 }
                ? .transient(retryAfter: nil) : failure
        }
        switch user {
        case .success(let name): if let database { driver.noteUser(name, database) }
        case .failure(.signedOut): driver.noteUser(nil, base)
        case .failure: break
        }
        return user
    }

    private mutating func fetchDatabase(
        _ token: ChangeToken?
    ) async -> Result<SyncAnswer.DatabasePage, SyncFailure> {
        guard let database else { return .failure(.lasting) }
        let result = await driver.cancellable { () async throws(CKError) in
            try await database.changes(since: token.map(CKServerChangeToken.init), limit: nil)
        }
        databasePage = result.value
        return note(result).map { page in
            let scope = database.databaseScope
            return SyncAnswer.DatabasePage(
                changed: page.changed.map { $0.model(in: scope) },
                deleted: page.deleted.map { ($0.zoneID.model(in: scope), $0.purged) },
                token: page.token.model, moreComing: page.moreComing)
        }
    }

    private mutating func fetch(
        _ zone: RecordZone.ID, _ token: ChangeToken?
    ) async -> Result<SyncAnswer.ZonePage, SyncFailure> {
        guard let database else { return .failure(.lasting) }
        let result = await driver.cancellable { () async throws(CKError) in
            let request = ZoneChangesRequest(zoneID: zone, token: token)
            guard let found = try await database.changes([request]).first else {
                throw CKDatabase.noAnswer
            }
            let page = try found.result.get()
            // A token must not move past a record that the app does not get.
            for item in page.changed { _ = try item.result.get() }
            return page
        }
        zonePage = result.value
        if let error = result.failure {
            itemErrors[AnyHashable(CKRecordZone.ID(zone, in: database.databaseScope))] = error
        }
        return note(result).map { page in
            SyncAnswer.ZonePage(
                changed: page.changed.compactMap { item in
                    item.result.value.map {
                        KnownRecords.Entry(name: item.id.recordName, type: $0.recordType)
                    }
                },
                deleted: page.deleted.map(\.recordName), token: page.token.model,
                moreComing: page.moreComing)
        }
    }

    private mutating func send(
        _ changes: [PendingZoneChange], _ base: CKDatabase
    ) async -> [SyncResult] {
        let database = database ?? base
        let scope = database.databaseScope
        var saves: [CKRecordZone] = []
        var deletes: [CKRecordZone.ID] = []
        for change in changes {
            let id = CKRecordZone.ID(change.id, in: scope)
            if case .save = change {
                saves.append(CKRecordZone(zoneID: id))
            } else {
                deletes.append(id)
            }
        }
        let (zonesToSave, zonesToDelete) = (saves, deletes)
        let result = await driver.cancellable { () async throws(CKError) in
            try await database.modify(zonesToSave, zonesToDelete)
        }
        switch note(result) {
        case .success: zones = result.value ?? ZoneChanges()
        case .failure:
            let error = lastError ?? CKDatabase.noAnswer
            zones = ZoneChanges(
                saved: saves.map { ($0.zoneID, .failure(error)) },
                deleted: deletes.map { ($0, .failure(error)) })
        }
        for item in zones.saved { itemErrors[AnyHashable(item.id)] = item.result.failure }
        for item in zones.deleted { itemErrors[AnyHashable(item.id)] = item.result.failure }
        var saved = zones.saved.map { Self.result($0.result.failure, .saved(type: "")) }[...]
        var deleted = zones.deleted.map { Self.result($0.result.failure, .deleted) }[...]
        return changes.map { change in
            let next = if case .save = change { saved.popFirst() } else { deleted.popFirst() }
            return next ?? .failed(.lasting)
        }
    }

    private static func result(_ failure: CKError?, _ success: SyncResult) -> SyncResult {
        failure.map { .failed(SyncFailure($0)) } ?? success
    }

    // MARK: Records

    private mutating func take(
        _ given: CKSyncEngine.RecordZoneChangeBatch?, _ scope: CKDatabase.Scope
    ) -> SyncBatch? {
        batch = given?.recordsToSave ?? []
        return given.map { given in
            SyncBatch(
                saves: given.recordsToSave.map { $0.recordID.model(in: scope) },
                deletes: given.recordIDsToDelete.map { $0.model(in: scope) },
                isAtomic: given.atomicByZone)
        }
    }

    private mutating func send(_ part: BatchPart, _ base: CKDatabase) async -> [SyncResult] {
        let database = database ?? base
        let scope = database.databaseScope
        var saves: [CKRecord] = []
        var deletes: [CKRecord.ID] = []
        for (position, change) in zip(part.positions, part.changes) {
            if position < batch.count {
                saves.append(batch[position])
            } else {
                deletes.append(
                    CKRecord.ID(change.id, CKRecordZone.ID(change.id.zoneID, in: scope)))
            }
        }
        let (recordsToSave, recordsToDelete) = (saves, deletes)
        let result = await driver.cancellable { () async throws(CKError) in
            try await database.modify(
                recordsToSave, recordsToDelete, .ifServerRecordUnchanged,
                atomically: part.isAtomic)
        }
        switch note(result) {
        case .success: records = result.value ?? RecordChanges()
        case .failure:
            let error = lastError ?? CKDatabase.noAnswer
            records = RecordChanges(
                saved: saves.map { ($0.recordID, .failure(error)) },
                deleted: deletes.map { ($0, .failure(error)) })
        }
        for item in records.saved { itemErrors[AnyHashable(item.id)] = item.result.failure }
        for item in records.deleted { itemErrors[AnyHashable(item.id)] = item.result.failure }
        sent = saves
        var saved = records.saved.map {
            Self.result($0.result.failure, .saved(type: $0.result.value?.recordType ?? ""))
        }[...]
        var deleted = records.deleted.map { Self.result($0.result.failure, .deleted) }[...]
        return part.positions.map { position in
            (position < batch.count ? saved.popFirst() : deleted.popFirst()) ?? .failed(.lasting)
        }
    }

    /// The records of the last request, as the app gave them.
    private(set) var sent: [CKRecord] = []
}
