import Basics
import CloudModel
import DonationSync
import Donations

// What must hold at every step, for the device that moved.
extension Simulation {
    /// I1, I4, I7, I11, I12: looks at every row of a device.
    ///
    /// No row is there that a deletion covers which this device was told of, whether that deletion
    /// was pushed or not; no row that nobody made; none twice; no activity in sight without the
    /// item it is strongly related to.
    func check(_ device: SimDevice) throws(Breach) {
        guard plan.engine == .ours else { return }
        noteRows(device)
        let rows = try rows(of: device)
        let told = truth.knowledge[device.index].told
        var seen: Set<SimRow> = []
        var related: [(tag: Int, item: String)] = []
        var items: Set<String> = []
        let owner = owner(of: device)
        for row in rows {
            // The second user's other devices have donations of their own.
            if owner == "bob", row.tag < 0 { continue }
            guard row.tag >= 0, row.tag < truth.made.count else {
                throw Breach("I7", device: device.index, "a row that nobody made")
            }
            let made = truth.made[row.tag]
            if let user = made.user, user != owner {
                throw Breach("I7", device: device.index, "#\(row.tag) is of \(user)")
            }
            if made.covering & told != 0 {
                throw Breach(
                    "I1", device: device.index,
                    "#\(row.tag) is there; \(truth.describe(made.covering & told))")
            }
            let bare = SimRow(kind: row.kind, tag: row.tag, isParked: false)
            guard seen.insert(bare).inserted else {
                throw Breach("I11", device: device.index, "#\(row.tag) is there twice")
            }
            if row.kind == .searchableItem, !row.isParked { items.insert(made.row.identifier) }
            if row.kind != .searchableItem, !row.isParked, let item = made.row.relatedIdentifier {
                related.append((row.tag, item))
            }
            if let zone = made.row.link?.zone, device.fencesHeard.contains(zone) {
                throw Breach(
                    "5.8-10", device: device.index, "#\(row.tag) of the fenced zone \(zone)")
            }
        }
        for (tag, item) in related where !items.contains(item) {
            throw Breach("I4", device: device.index, "#\(tag) is in sight without \(item)")
        }
    }

    func rows(of device: SimDevice) throws(Breach) -> [SimRow] {
        do {
            return try device.rows()
        } catch {
            throw Breach("storage", device: device.index, "\(error)")
        }
    }

    // MARK: What a device asks

    /// 5.8-10, 5.8-11, I8: what a device may not ask for.
    func checkRequest(
        _ command: CloudCommand, _ device: SimDevice, _ lane: Int, _ now: Timestamp
    ) throws(Breach) {
        guard plan.engine == .ours else { return }
        let early = device.asked[lane].early
        if early > 0 {
            throw Breach("5.8-11", device: device.index, "asks \(early) ms before it may")
        }
        guard command.isModifying else { return }
        for zone in zonesChanged(by: command) where zone != zoneName(of: device) {
            throw Breach("I8", device: device.index, "changes the zone \(zone)")
        }
        if device.fencesHeard.contains(zoneName(of: device)) {
            throw Breach("5.8-10", device: device.index, "writes into its fenced zone")
        }
        if case .write(.modifyZones(let operations)) = command {
            if case .delete? = operations.first {
                throw Breach("I8", device: device.index, "deletes a zone")
            }
            if device.index < plan.devices, !device.asked[lane].mayCreateZone {
                throw Breach("5.6", device: device.index, "creates a zone that it saw alive")
            }
        }
    }

    private func zoneName(of device: SimDevice) -> String {
        device.index < plan.devices || device.user == "bob"
            ? SimWorld.zone.zoneID.zoneName : SimWorld.otherZone.zoneID.zoneName
    }

    private func zonesChanged(by command: CloudCommand) -> [String] {
        switch command {
        case .write(.modifyZones(let operations)): operations.map(\.id.zoneName)
        case .write(.modifyRecords(let request)):
            request.operations.map { ($0.zoneID ?? request.zoneID).zoneName }
        default: ["something else"]
        }
    }

    // MARK: What reached the service

    /// Whether rows of a kind travel.
    func isExchanged(_ kind: DonationKind) -> Bool { plan.syncsItems || kind != .searchableItem }

    /// I1, R8: what a device stores in the zone is covered by no deletion it was told of, and was
    /// made in this incarnation of the zone; items are not stored there unless the app wants it.
    func checkUpload(_ tag: Int, by device: Int) throws(Breach) {
        let made = truth.made[tag]
        // What it did not know when it made up the request, it could not know.
        let asked = devices[device].asked[0]
        let told = asked.told
        guard isExchanged(made.row.kind) else {
            throw Breach("5.3", device: device, "the item #\(tag) is uploaded")
        }
        if made.covering & told != 0 {
            throw Breach(
                "I1", device: device,
                "#\(tag) is uploaded; \(truth.describe(made.covering & told))")
        }
        if let nonce = made.nonce, nonce != asked.nonce {
            throw Breach("R8", device: device, "#\(tag) of another incarnation is uploaded")
        }
    }

    /// I6: no deletion record holds a word that a user or app chose.
    func checkWordless(_ record: Record) throws(Breach) {
        for (name, field) in record.fields {
            for text in Self.texts(field.value) {
                for word in SimWorld.words where text.contains(word) {
                    throw Breach("I6", "the field \(name) of a deletion holds \"\(word)\"")
                }
            }
        }
    }

    private static func texts(_ value: FieldValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .bytes(let bytes): [String(decoding: bytes, as: UTF8.self)]
        case .list(_, let values): values.flatMap { texts($0) }
        case .reference(let reference): [reference.recordName]
        default: []
        }
    }

    // MARK: What a device was told

    /// Notes in the truth what an answer told a device, once what came of it is stored; then
    /// 5.1 and 5.8-11: what was linked to something that is gone is gone in the same transaction.
    func learned(
        _ result: Result<CloudReply, CloudError>, of command: CloudCommand, _ device: SimDevice,
        _ lane: Int, _ now: Timestamp
    ) throws(Breach) {
        guard plan.engine == .ours else { return }
        // Whoever was answered well is not waited for any more.
        if case .success = result { device.notBefore[lane] = SimWaiting() }
        switch result {
        case .failure(let error):
            guard let wait = error.retryAfter else { return }
            let milliseconds = now.advanced(by: wait).milliseconds - now.milliseconds
            device.notBefore[lane] = SimWaiting(
                until: now.milliseconds + milliseconds, trulyUntil: clock.now + milliseconds)
        case .success(.zonePage(let page)):
            for item in page.zones {
                switch item {
                case .deleted(let zone, let reason):
                    if reason == .purged {
                        device.purged.insert(zone.zoneName)
                        closedZones.insert(zone.zoneName)
                    }
                    // The keys are lost and not the wish: it begins anew by itself.
                    if reason == .encryptedDataReset { device.mayCreateZone = true }
                    try zoneGone(zone, device, lane)
                case .zone(let zone): device.purged.remove(zone.id.zoneName)
                case .failure: continue
                }
            }
        case .success(.zoneChanges(let items)):
            guard case .read(.zoneChanges(let asked)) = command else { return }
            for (item, request) in zip(items, asked) {
                switch item {
                case .page(let page):
                    try pageTaken(page, isFirst: request.token == nil, device, lane)
                case .failure(let zone, let error):
                    // As good as a deletion (5.1), unless the network made it up.
                    guard error.code == .zoneNotFound, content[zone.zoneName] == nil
                    else { continue }
                    doubtBesides { $0.link?.zone == zone.zoneName }
                }
            }
        case .success(.zones(let items)):
            guard lane == 0 else { return }
            if case .zone? = items.first { device.mayCreateZone = false }
        case .success(.records(let reply)):
            // Conflicts show what is there; deletions in them are told like others.
            for case .record(let record) in reply.records { try tell(record, device) }
        default: return
        }
    }

    private func tell(_ record: Record, _ device: SimDevice) throws(Breach) {
        guard device.index < plan.devices,
            record.id.zoneID.zoneName == SimWorld.zone.zoneID.zoneName
        else { return }
        if let name = RecordName(record.id.recordName) {
            truth.delivered(name, to: device.index, nonce: device.nonce)
        } else if record.id.recordName == "zone",
            case .bytes(let bytes)? = record.fields["base"]?.value,
            let base = SimContext.read(bytes)
        {
            let index = device.index
            let set = truth.erasures(upTo: base) & truth.reached(device.nonce)
            let unseen = set & ~truth.knowledge[index].seen
            truth.knowledge[index].collected |= set
            // It was not there when all had confirmed, and begins anew (R6).
            if unseen != 0 || !base.isEmpty && members[index] == nil {
                truth.doubt { $0.device == index }
            }
            guard unseen != 0 else { return }
            guard let before = members[index], unseen & ~before != 0 else { return }
            throw Breach(
                "R6", device: index, "\(truth.describe(unseen & ~before)) is collected unseen")
        }
    }

    private func pageTaken(
        _ page: ZoneChangesPage, isFirst: Bool, _ device: SimDevice, _ lane: Int
    ) throws(Breach) {
        let zone = page.zoneID.zoneName
        guard SimWorld.contentZones.contains(zone) else {
            device.mayCreateZone = false
            for case .record(let record) in page.records { try tell(record, device) }
            return
        }
        // A fenced zone's records are counted, and nothing else.
        guard device.index < plan.devices, !device.fenced.contains(zone) else { return }
        if isFirst {
            device.told.scanned[zone] = [:]
            device.told.before[zone] = device.told.before[zone] ?? device.told.alive[zone] ?? [:]
        }
        var gone: Set<String> = []
        for item in page.records {
            switch item {
            case .record(let record):
                let created = record.created.timestamp
                device.told.alive[zone, default: [:]][record.id.recordName] = created
                device.told.scanned[zone]?[record.id.recordName] = created
                gone.remove(record.id.recordName)
            case .deleted(let name, _):
                device.told.alive[zone]?[name] = nil
                device.told.scanned[zone]?[name] = nil
                gone.insert(name)
            case .failure: continue
            }
        }
        if !page.moreComing, let found = device.told.scanned.removeValue(forKey: zone) {
            let before = device.told.before.removeValue(forKey: zone) ?? [:]
            let missed = Set((device.told.alive[zone] ?? [:]).keys).subtracting(found.keys)
            // Nothing of what was there is left: the zone may have been deleted meanwhile, and a device that
            // met that deletes on all devices what is older by its own clock (seed 38).
            let isOther = before.allSatisfy { found[$0.key] != $0.value }
            // One that was made after the one that was seen takes its place.
            let remade = before.filter { name, created in
                found[name].map { $0 != created } ?? false
            }
            let gone = missed.union(remade.keys)
            doubtBesides { row in
                row.link?.zone == zone
                    && (isOther || row.link?.record.map(gone.contains) ?? false)
            }
            for name in missed {
                device.told.missed[zone, default: [:]][name] = journal.steps
            }
            device.told.alive[zone] = found
        }
        guard !gone.isEmpty else { return }
        // Also what was made after the deletion, by somebody who had not heard of it.
        doubtBesides { row in
            row.link?.zone == zone && row.link?.record.map(gone.contains) ?? false
        }
        for row in try rows(of: device) {
            guard let link = truth.made[row.tag].row.link, link.zone == zone,
                let record = link.record, gone.contains(record)
            else { continue }
            throw Breach(
                "5.1", device: device.index, "#\(row.tag) is linked to \(record), which is gone")
        }
    }

    private func zoneGone(_ zone: RecordZone.ID, _ device: SimDevice, _ lane: Int) throws(Breach) {
        guard device.index < plan.devices else { return }
        device.told.forget(zone.zoneName)
        doubtBesides { $0.link?.zone == zone.zoneName }
        if zone.zoneName == SimWorld.zone.zoneID.zoneName {
            truth.doubt { $0.device == device.index }
        }
        for row in try rows(of: device) where truth.made[row.tag].row.link?.zone == zone.zoneName {
            throw Breach(
                "5.1", device: device.index,
                "#\(row.tag) is linked to the zone \(zone.zoneName), which is gone")
        }
    }
}
