package import CloudModel

/// What a ``RecordSyncMachine`` wants done; the answer goes to `received`.
package enum SyncEffect: Sendable {
    /// Ask who is signed in: `.user`.
    case identify
    /// Ask which zones changed: `.databasePage`.
    case fetchDatabase(ChangeToken?)
    /// Ask for a page of a zone's changes: `.zonePage`.
    case fetchZone(RecordZone.ID, ChangeToken?)
    /// Ask the app how to go on with a fetch: `.options`.
    case askOptions(SyncRun, FetchOptions)
    /// Ask the app what to send: `.batch`.
    case askBatch(SyncRun)
    /// Create and delete zones: `.results`, one for each change.
    case sendZones([PendingZoneChange])
    /// Save and delete records of the app's batch: `.results`, one for each record.
    case sendRecords(BatchPart)
    /// Tell the app, and wait until it has handled it: `.done`.
    case tell(SyncNotice)
    /// Let the callers of a run go on: `.done`.
    case finish(SyncRun, SyncEnd)
    /// Nothing before this moment, nor until something is asked for: `wake`.
    case rest(until: Duration?)
}

/// An event of the app's, but for what the last answers had, which whoever drives keeps.
package enum SyncNotice: Sendable {
    case state(SyncState)
    case account(SyncAccountChange)
    case willFetch(SyncRun, FetchOptions)
    case didFetch(SyncRun, FetchOptions)
    case willFetchZone(RecordZone.ID)
    /// The failure is that of the last answer.
    case didFetchZone(RecordZone.ID, SyncFailure?)
    /// The last answer about the database.
    case databaseChanges
    /// A zone that went while the database's changes could not be told.
    case zoneGone(RecordZone.ID)
    /// The last answer about the zone, with the types of what it says was deleted.
    case zoneChanges(RecordZone.ID, deletedTypes: [String])
    /// Records that went while the zone's changes could not be told.
    case recordsGone(RecordZone.ID, [KnownRecords.Entry])
    case willSend(SyncRun)
    case didSend(SyncRun)
    /// The last answer about zones to change.
    case sentZones([PendingZoneChange])
    /// The last answer about records to change.
    case sentRecords(BatchPart)
}

/// Who is signed in instead of whom.
package enum SyncAccountChange: Sendable, Hashable {
    case signIn(String)
    case signOut(String)
    case switchAccounts(from: String, to: String)
}

/// What was asked for, or why it was not had.
package enum SyncAnswer: Sendable {
    case user(Result<String, SyncFailure>)
    case databasePage(Result<DatabasePage, SyncFailure>)
    case zonePage(Result<ZonePage, SyncFailure>)
    case options(FetchOptions)
    case batch(SyncBatch?)
    case results([SyncResult])
    case done

    /// The records, or zones that were sent, that it is about.
    var recordCount: Int {
        switch self {
        case .zonePage(.success(let page)): page.changed.count + page.deleted.count
        case .results(let results): results.count
        case .user, .databasePage, .zonePage(.failure), .options, .batch, .done: 0
        }
    }

    /// Which zones changed, as far as a page has them.
    package struct DatabasePage: Sendable {
        package var changed: [RecordZone.ID]
        package var deleted: [(zone: RecordZone.ID, isPurged: Bool)]
        package var token: ChangeToken
        package var moreComing: Bool

        package init(
            changed: [RecordZone.ID], deleted: [(zone: RecordZone.ID, isPurged: Bool)],
            token: ChangeToken, moreComing: Bool
        ) {
            self.changed = changed
            self.deleted = deleted
            self.token = token
            self.moreComing = moreComing
        }
    }

    /// Which records of a zone changed, as far as a page has them.
    package struct ZonePage: Sendable {
        package var changed: [KnownRecords.Entry]
        package var deleted: [String]
        package var token: ChangeToken
        package var moreComing: Bool

        package init(
            changed: [KnownRecords.Entry], deleted: [String], token: ChangeToken, moreComing: Bool
        ) {
            self.changed = changed
            self.deleted = deleted
            self.token = token
            self.moreComing = moreComing
        }
    }
}

/// What became of one change that was sent.
package enum SyncResult: Sendable, Hashable {
    /// Saved; the type of a record, empty for a zone.
    case saved(type: String)
    case deleted
    case failed(SyncFailure)

    var failure: SyncFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
