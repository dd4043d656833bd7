import Basics
import CloudModel
import Donations

/// What one call of the exchange works with; all that changes in it is put back when the call ends.
struct ExchangeTurn<Storage: SyncStorage> {
    var storage: Storage
    /// What this device knows of the zone.
    var facts: ExchangeFacts
    /// What the round still has to read.
    var course: RoundCourse
    var entropy: SyncEntropy
    var report: SyncReport
    let zone: DonationZone
    let settings: SyncSettings
    let digest: SyncDigest
    let now: Timestamp

    init(
        _ sync: consuming SyncTurn<Storage>, _ facts: ExchangeFacts, _ zone: DonationZone,
        _ course: RoundCourse = RoundCourse()
    ) {
        self.facts = facts
        self.course = course
        self.zone = zone
        (settings, digest, now) = (sync.settings, sync.digest, sync.now)
        (entropy, report) = (sync.entropy, sync.report)
        storage = sync.storage
    }

    /// What the machine goes on with.
    var sync: SyncTurn<Storage> {
        SyncTurn(
            storage: storage, settings: settings, digest: digest, entropy: entropy, now: now,
            report: report)
    }

    /// The digests of the zone.
    var keys: ExchangeKeys { ExchangeKeys(key: facts.zoneKey ?? [], digest: digest) }

    /// All deletions known, own unsent ones too.
    func knowledge() throws(Storage.Failure) -> ExchangeKnowledge {
        ExchangeKnowledge(
            try storage.deletions(), own: try storage.ownDeletions(limit: .max), keys)
    }

    // MARK: Requests

    /// Changes records of the zone.
    func modify(
        _ operations: [RecordOperation], atomic: Bool = false, for request: ExchangeRequest
    ) -> ExchangeAsk {
        let command = ExchangeCommand.modify(operations, atomic: atomic, in: zone)
        return ExchangeAsk(request: request, action: .write(command), count: operations.count)
    }

    /// Looks records of the zone up.
    func lookUp(_ names: [String], for request: ExchangeRequest) -> ExchangeAsk {
        let lookup = RecordLookupRequest(recordNames: names, zoneID: zone.zoneID)
        return ExchangeAsk(
            request: request, action: .read(.lookUpRecords(lookup)), count: names.count)
    }

    // MARK: Failures

    /// What a failure means that no stage knows how to go on after.
    mutating func refused(_ error: CloudError) throws(Storage.Failure) -> StageResult {
        switch SyncFailure(error.code) {
        case .passing(let reason): .stop(.wait(reason, retryAfter: error.retryAfter))
        case .lasting(let reason): .stop(.halted(reason))
        case .zoneMissing: try zoneMissing()
        case .denied: .stop(.halted(.restricted))
        case .refused: .stop(.halted(.refused))
        }
    }

    /// An answer says that the zone is not there.
    private func zoneMissing() throws(Storage.Failure) -> StageResult {
        if facts.incarnation != nil { return .stop(.zoneNotFound) }
        guard facts.isOn else { return .stop(.finished) }
        switch try storage.zone(zone.zoneID, at: settings.address)?.status ?? .unknown {
        case .unknown, .gone(.encryptedDataReset):
            return .ask(ExchangeAsk(request: .zone(.createZone), action: .write(.createZone(zone))))
        case .live, .gone, .unclear: return .stop(.zoneNotFound)
        }
    }

    /// Whether anything may be asked of the zone as things are.
    func mayRun() throws(Storage.Failure) -> Bool {
        guard facts.isOn || facts.incarnation != nil else { return false }
        let known = try storage.zone(zone.zoneID, at: settings.address)
        return switch known?.status ?? .unknown {
        case .unknown, .live, .gone(.encryptedDataReset): true
        // A whole list of zones lacks it too: its feed is asked once more, and has the last word.
        case .unclear: known?.isUnlisted ?? false
        case .gone: false
        }
    }

    // MARK: Rows that cannot stay as they are

    /// A row that cannot be sent as it is: kept here, and reported (R11).
    mutating func park(_ row: SyncedRow, _ refusal: SyncRefusal) throws(Storage.Failure) {
        var row = row
        row.isRefused = true
        try storage.setRecord(row)
        report.refuse(refusal)
    }

    /// A row whose record is no longer there goes; never is it inserted again (R4). What was
    /// changed here and not sent is noted.
    mutating func drop(_ row: SyncedRow) throws(Storage.Failure) {
        if row.edits > 0 {
            try rescue(.recordVanished, recordName: row.recordName)
            report.refuse(.vanished)
        }
        try storage.removeRows([row.id])
        report.remove(1, .recordVanished)
    }

    /// Notes changes that are not sent, so that the user can read what became of them.
    mutating func rescue(
        _ cause: SyncRescue.Cause, recordName: String? = nil, changes: Int = 1
    ) throws(Storage.Failure) {
        guard changes > 0 else { return }
        let entry = SyncRescue(
            at: now, cause: cause, zone: zone.zoneID, recordName: recordName,
            changes: Int64(changes))
        try storage.rescue(entry)
        report.rescued += Int64(changes)
    }

    /// Looks at all rows, some at a time.
    mutating func forEachRow(
        _ body: (inout ExchangeTurn, SyncedRow) throws(Storage.Failure) -> Void
    ) throws(Storage.Failure) {
        var last: RowID?
        while true {
            let rows = try storage.rows(after: last, limit: settings.sweepLimit)
            for row in rows { try body(&self, row) }
            guard rows.count == settings.sweepLimit, let end = rows.last else { return }
            last = end.id
        }
    }

    // MARK: What is sent

    /// The zone's record with what was collected.
    func zoneRecord(_ base: DeletionContext) -> ExchangeZoneRecord {
        ExchangeZoneRecord(
            incarnation: facts.incarnation ?? "", key: facts.zoneKey ?? [], base: base)
    }

    /// A row with all that its record tells of it, and the record's name.
    func carried(_ row: SyncedRow, _ keys: ExchangeKeys) -> (row: ExchangeRow, name: String) {
        let origin = facts.origin ?? ""
        let saved = row.donation.kind == .activity ? row.donation.savedKey : nil
        let made = ExchangeRow(
            row.donation, device: facts.device ?? "",
            context: facts.context.joined(with: row.context),
            savedName: saved.map { ExchangeRow.savedName($0, keys, origin: origin) })
        return (made, row.recordName ?? made.name(keys) ?? made.ownName(keys, origin: origin))
    }

    /// The item that an activity is strongly related to, when it is here.
    func item(of row: Donation) throws(Storage.Failure) -> Donation? {
        guard row.kind.isActivity, let name = row.relatedIdentifier else { return nil }
        return try storage.item(name)
    }
}
