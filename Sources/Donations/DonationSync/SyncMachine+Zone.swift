import CloudModel
import Donations

/// The feed of one zone: which records are there, and which were deleted.
extension SyncMachine {
    /// Reads on in a zone's feed. No field is asked for: names and system fields are enough.
    mutating func readChanges(of zone: SyncZone) -> SyncAction {
        phase = .zone(zone.id, zone.token)
        return .read(
            .zoneChanges([
                ZoneChangesRequest(zoneID: zone.id, token: zone.token, desiredKeys: [])
            ]))
    }

    /// The answer about one zone.
    mutating func takeChanges(
        _ item: ZoneChangesItem, of id: RecordZone.ID, askedWith token: ChangeToken?,
        _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        // The zone may have been fenced, lifted or forgotten while the request was open.
        guard let zone = try turn.storage.zone(id, at: turn.address),
            zone.status == .live || zone.isUnlisted,
            zone.token == token
        else { return try next(&turn) }
        guard turn.address.stored(item.zoneID) == id else {
            let error = CloudError(.unexpectedResponse, reason: "an answer about another zone")
            return try failed(error, .rest, &turn)
        }
        switch item {
        case .page(let page): return try takePage(page, zone, &turn)
        case .failure(_, let error):
            switch SyncFailure(error.code) {
            case .passing, .lasting: return try failed(error, .rest, &turn)
            case .zoneMissing: return try missing(zone, error, &turn)
            case .denied where turn.address.scope == .shared:
                return try missing(zone, error, &turn)
            case .refused where token != nil: return try scanAnew(zone, &turn)
            case .refused, .denied:
                var zone = zone
                zone.status = .unclear
                zone.isDirty = false
                turn.report.zonesUnclear += 1
                try turn.storage.setZone(zone, at: turn.address)
                return try next(&turn)
            }
        }
    }

    /// The zone's token was refused: too old, or the zone is another one, or the user is.
    private mutating func scanAnew(
        _ zone: SyncZone, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        var zone = zone
        zone.abortedScans += zone.isScanning ? 1 : 0
        let isStuck = zone.isScanning && zone.abortedScans % 3 == 0 && zone.abortedScans > 0
        if !zone.isScanning { zone.floor = zone.newest }
        zone.token = nil
        zone.generation += 1
        zone.isScanning = true
        zone.isSweeping = false
        zone.repeats = 0
        zone.isDirty = true
        try turn.storage.setZone(zone, at: turn.address)
        turn.report.rescans += 1
        if isStuck { return try turn.wait(.stuckFeed) }
        try turn.doubtUser()
        return ask(then: .next)
    }

    /// A page of records.
    private mutating func takePage(
        _ page: ZoneChangesPage, _ old: SyncZone, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        try turn.noteSuccess()
        var zone = old
        if try turn.storage.isFenced(zone.id, at: turn.address) {
            for case .record(let record) in page.records {
                turn.report.resurrect(record.modified, in: zone.id)
            }
        } else {
            try apply(page.records, &zone, &turn)
        }
        zone.status = .live
        zone.isUnlisted = false
        let token = ChangeToken?.some(page.token)
        let isStuck = page.moreComing && (token == zone.token || token.isUnusable)
        zone.repeats = isStuck ? zone.repeats + 1 : 0
        if !token.isUnusable { zone.token = token }
        if !page.moreComing { Self.end(&zone) }
        if zone.repeats >= 3 {
            zone.repeats = 0
            try turn.storage.setZone(zone, at: turn.address)
            return try turn.wait(.stuckFeed)
        }
        try turn.storage.setZone(zone, at: turn.address)
        return try next(&turn)
    }

    /// The zone was read to its end; after a scan, names that it did not deliver are swept.
    ///
    /// Only they: a scan may deliver nothing that was seen before because all of it was deleted, and
    /// what was never seen may wait to be uploaded.
    private static func end(_ zone: inout SyncZone) {
        zone.isDirty = false
        zone.abortedScans = 0
        guard zone.isScanning else { return }
        zone.isScanning = false
        zone.floor = nil
        zone.isSweeping = zone.generation > 1
    }

    /// Takes away what a finished scan did not deliver, some names at a time.
    mutating func sweep(
        _ old: SyncZone, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        var zone = old
        let links = try turn.parts(of: zone.id)
        let sweep = try turn.storage.sweepNames(
            in: zone.id, at: turn.address, before: zone.generation,
            links: links, limit: settings.sweepLimit)
        turn.report.remove(sweep.rows, .swept)
        if sweep.isFinished {
            zone.isSweeping = false
            try turn.storage.setZone(zone, at: turn.address)
            return try next(&turn)
        }
        phase = .chunk
        return .again
    }

    // MARK: Records of a page

    /// Applies a page: names noted, what is linked to deleted records gone.
    private func apply(
        _ items: [Record.Item], _ zone: inout SyncZone, _ turn: inout Turn
    ) throws(Storage.Failure) {
        var alive: [String] = []
        var dead: [String] = []
        var remade: [String] = []
        var newest = zone.newest
        for item in items {
            switch item {
            case .record(let record):
                alive.append(record.id.recordName)
                let made = record.created.timestamp
                newest = max(newest ?? made, made, record.modified.timestamp)
                if let floor = zone.floor, made > floor { remade.append(record.id.recordName) }
            case .deleted(let name, _): dead.append(name)
            // It is there, only not to be had.
            case .failure(let name, _): alive.append(name)
            }
        }
        turn.report.recordsSeen += Int64(alive.count)
        turn.report.deletionsSeen += Int64(dead.count)
        if !remade.isEmpty {
            // Made after the record of that name which was seen before, so that one is gone.
            dead += try turn.storage.notedNames(
                among: remade, in: zone.id, at: turn.address, before: zone.readGeneration + 1)
        }
        if !dead.isEmpty {
            let user = try turn.storage.account(at: turn.address).identity
            let rows = try turn.storage.deleteLinked(
                turn.address.parts(dead, in: zone.id, user: user), .everywhere)
            turn.report.remove(rows, .recordDeleted)
            try turn.storage.forgetNames(dead, in: zone.id, at: turn.address)
        }
        if !alive.isEmpty {
            try turn.storage.note(alive, in: zone.id, at: turn.address, generation: zone.generation)
        }
        zone.newest = newest
    }
}

extension ZoneChangesItem {
    /// The zone it is about.
    fileprivate var zoneID: RecordZone.ID {
        switch self {
        case .page(let page): page.zoneID
        case .failure(let id, _): id
        }
    }
}
