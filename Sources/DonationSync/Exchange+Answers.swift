import CloudModel
import Donations

extension Exchange {
    /// An answer of another shape than was asked for: it means what
    /// `CloudError.Code.unexpectedResponse` means.
    static let unexpected = ExchangeStep.wait(.unavailable, retryAfter: nil)

    /// Takes an answer; nil: go on with what is next.
    mutating func take<Storage: SyncStorage>(
        _ reply: CloudReply, to request: ExchangeRequest, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        if case .zones(let items) = reply, case .createZone = request {
            if case .failure(_, let error)? = items.first, error.code != .exists {
                return try refused(error, &storage, &turn)
            }
            // From now on it is one that was there, and is not created again by itself (5.6).
            var known = try storage.zone(zone.zoneID, at: settings.address) ?? SyncZone(zone.zoneID)
            known.status = .live
            known.listGeneration = try storage.database(at: settings.address).generation
            try storage.setZone(known, at: settings.address)
            return nil
        }
        if case .zoneChanges(let items) = reply, case .feed(let isFirst) = request {
            switch items.first {
            case .page(let page):
                return try take(page, isFirst: isFirst, &storage, &turn)
            case .failure(_, let error): return try feedFailed(error, &storage, &turn)
            case nil: return Self.unexpected
            }
        }
        guard case .records(let answer) = reply else { return Self.unexpected }
        let items = answer.records
        if let missing = Self.zoneMissing(items) { return try refused(missing, &storage, &turn) }
        guard items.count == request.count else { return Self.unexpected }
        round.grow()
        switch request {
        case .lookUpZone: return try takeZone(items.first, created: nil, &storage, &turn)
        case .createZoneRecord(let record):
            return try takeZone(items.first, created: record, &storage, &turn)
        case .pushDeletions(let deletions): return try sent(deletions, items, &storage, &turn)
        case .lookUpDeletions(let deletions):
            try compared(deletions, items, &storage, &turn)
        case .deleteRecords(let gone): return try deleted(gone, items, &storage, &turn)
        case .upload(let sent): return try uploaded(sent, items, &storage, &turn)
        case .lookUpRows: try lookedUp(items, &storage, &turn)
        case .confirm(let context): return try confirmed(context, items, &storage, &turn)
        case .dropDevices(let names): dropped(names, items, &turn)
        case .raiseBase(let record): return try raised(record, items, &storage, &turn)
        case .collect(let deletions): return try collected(deletions, items, &storage, &turn)
        case .createZone, .feed: return Self.unexpected
        }
        return nil
    }

    /// The failure of an answer in which every item says that the zone is not there.
    private static func zoneMissing(_ items: [Record.Item]) -> CloudError? {
        for item in items {
            guard case .failure(_, let error) = item, error.code == .zoneNotFound else { continue }
            return error
        }
        return nil
    }

    private mutating func feedFailed<Storage: SyncStorage>(
        _ error: CloudError, _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        guard error.code == .badRequest, turn.facts.token != nil else {
            return try refused(error, &storage, &turn)
        }
        // The token is too old, or of another incarnation: the zone's record tells.
        turn.facts.beginScan()
        turn.report.rescans += 1
        round.setbacks += 1
        round.mustLookUpZone = true
        return nil
    }

    /// A failure of the whole request; nil: go on with what is next.
    mutating func fail<Storage: SyncStorage>(
        _ error: CloudError, _ request: ExchangeRequest, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        switch error.code {
        case .badRequest, .quotaExceeded:
            if case .feed = request { return try feedFailed(error, &storage, &turn) }
            if round.shrink(request.count) { return nil }
            if case .upload(let sent) = request, error.code == .badRequest,
                let id = sent.first?.id, let row = try storage.row(id)
            {
                try park(row, .byService, &storage, &turn)
                return nil
            }
            return try refused(error, &storage, &turn)
        default: return try refused(error, &storage, &turn)
        }
    }

    /// What a failure means that no step knows how to go on after.
    mutating func refused<Storage: SyncStorage>(
        _ error: CloudError, _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep {
        switch SyncFailure(error.code) {
        case .passing(let reason): return .wait(reason, retryAfter: error.retryAfter)
        case .lasting(let reason): return .halted(reason)
        case .zoneMissing: return try zoneMissing(&storage, &turn)
        case .denied: return .halted(.restricted)
        case .refused: return .halted(.refused)
        }
    }

    // MARK: Uploads

    private mutating func uploaded<Storage: SyncStorage>(
        _ sent: [ExchangeRequest.Upload], _ items: [Record.Item], _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        round.mustReadAfter = true
        var step: ExchangeStep?
        let vanished = turn.report.removed[.recordVanished]
        for (upload, item) in zip(sent, items) {
            switch item {
            case .record(let record): try stored(upload, record, &storage, &turn)
            case .deleted: return Self.unexpected
            case .failure(_, let error):
                if let found = try failed(upload, error, &storage, &turn) { step = found }
            }
        }
        if turn.report.removed[.recordVanished] != vanished {
            // Items may be among them.
            _ = try storage.settleParkedRows()
        }
        return step
    }

    /// A row is in the zone, in the version that was sent.
    private func stored<Storage: SyncStorage>(
        _ upload: ExchangeRequest.Upload, _ record: Record, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        turn.report.uploaded += 1
        guard var row = try storage.row(upload.id), row.recordName == upload.name else {
            // It went from here meanwhile.
            if var gone = try storage.gone(upload.name), gone.tag == nil {
                gone.tag = record.recordChangeTag
                try storage.putGone([gone])
            }
            return
        }
        row.tag = record.recordChangeTag
        row.device = nil
        row.generation = turn.facts.generation
        if row.edits == upload.edits { row.edits = 0 }
        try storage.setRecord(row)
    }

    /// A row was not taken; nil: it has been seen to.
    private mutating func failed<Storage: SyncStorage>(
        _ upload: ExchangeRequest.Upload, _ error: CloudError, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        guard var row = try storage.row(upload.id), row.recordName == upload.name else {
            return nil
        }
        switch error.code {
        case .exists, .conflict:
            guard round.mayTryAgain(upload.name) else {
                round.postponed.insert(upload.id)
                turn.report.refuse(.conflicts)
                return nil
            }
            round.doubted.append(upload.name)
        case .atomicError:
            if !round.mayTryAgain(upload.name) { round.postponed.insert(upload.id) }
        case .notFound where !upload.isCreate:
            // Deleted there: never inserted again (R4).
            row.edits = max(row.edits, 1)
            try drop(row, &storage, &turn)
        case .validatingReferenceError where round.unreferenced.insert(upload.id).inserted,
            .badRequest where round.unreferenced.insert(upload.id).inserted:
            // Perhaps its item went, or has as many referrers as it may have: sent once without.
            break
        case .notFound, .validatingReferenceError, .badRequest, .accessDenied:
            try park(row, .byService, &storage, &turn)
            try storage.rescue(
                SyncRescue(
                    at: turn.now, cause: .refused, zone: zone.zoneID, recordName: upload.name))
            turn.report.rescued += 1
        default: return try refused(error, &storage, &turn)
        }
        return nil
    }

    /// Records that were in conflict, as the zone has them.
    private mutating func lookedUp<Storage: SyncStorage>(
        _ items: [Record.Item], _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        let knowledge = try knowledge(storage, turn)
        for item in items {
            switch item {
            case .record(let record):
                if mustReadFirst(record, turn) { continue }
                try take(record, knowledge, &storage, &turn)
                if let row = try storage.row(named: record.id.recordName),
                    row.tag != record.recordChangeTag
                {
                    round.postponed.insert(row.id)
                }
            case .failure(let name, let error) where error.code == .notFound:
                if let row = try storage.row(named: name), row.tag != nil {
                    try drop(row, &storage, &turn)
                }
            case .failure, .deleted: continue
            }
        }
        _ = try storage.settleParkedRows()
    }

    /// Whether a record's maker had seen deletions that have not come here yet: they are read
    /// first. A row that is here and goes with them must not take the place of the record before.
    private mutating func mustReadFirst(_ record: Record, _ turn: ExchangeTurn) -> Bool {
        let name = record.id.recordName
        guard let seen = (try? ExchangeRow(record))?.context,
            !seen.beyond(turn.facts.context).isEmpty
        else { return false }
        guard round.mayTryAgain(name) else { return false }
        round.doubted.append(name)
        round.mustReadBeforeUpload = true
        return true
    }
}

extension ExchangeRequest {
    /// How many items an answer has.
    var count: Int {
        switch self {
        case .lookUpZone, .createZone, .createZoneRecord, .feed, .confirm, .raiseBase: 1
        case .pushDeletions(let deletions), .lookUpDeletions(let deletions),
            .collect(let deletions):
            deletions.count
        case .deleteRecords(let gone): gone.count
        case .upload(let sent): sent.count
        case .lookUpRows(let names), .dropDevices(let names): names.count
        }
    }
}
