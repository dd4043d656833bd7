import CloudModel
import RecordSync

// What a driver does, in a world that is simulated.
extension Simulation {
    /// Does a device's effect, and hands over the answer.
    func perform(_ device: SimDevice) throws {
        let effect = device.effect
        log("\(device.number) \(effect.words)")
        let answer = try answer(to: effect, device)
        device.effect = device.machine.received(answer, now: now)
    }

    private func answer(to effect: SyncEffect, _ device: SimDevice) throws -> SyncAnswer {
        switch effect {
        case .identify:
            device.hadUser = device.machine.state.hadUser
            if let failure = requestFailure(device) { return .user(.failure(failure)) }
            return .user(device.user.map { .success($0) } ?? .failure(.signedOut))
        case .fetchDatabase(let token): return .databasePage(databasePage(device, token))
        case .fetchZone(let zone, let token): return .zonePage(zonePage(device, zone, token))
        case .askOptions(_, var options):
            if random.chance(0.1) {
                options.prioritized = [RecordZone.ID(random.pick(Self.zones))]
            }
            return .options(options)
        case .askBatch(let run): return .batch(batch(device, run))
        case .sendZones(let changes): return .results(try send(changes, device))
        case .sendRecords(let part): return .results(try send(part, device))
        case .tell(let notice):
            try tell(notice, device)
            return .done
        case .finish(let run, let end):
            device.isManual = false
            if case .completed = end, case .send(.all) = run.job, !run.isManual || isQuiet,
                device.app.owed.contains(where: device.machine.state.recordsInFlight.contains)
            {
                throw Breach("in flight", "something is in flight after a send")
            }
            return .done
        case .rest: return .done
        }
    }

    // MARK: On the way

    /// A failure of a request as a whole, before it was carried out.
    private func requestFailure(_ device: SimDevice) -> SyncFailure? {
        if strikes(.cutBefore) { return .transient(retryAfter: nil) }
        guard strikes(.throttled) else { return nil }
        let wait = Duration.seconds(1 + random.below(30))
        return .transient(retryAfter: wait)
    }

    private func databasePage(
        _ device: SimDevice, _ token: ChangeToken?
    ) -> Result<SyncAnswer.DatabasePage, SyncFailure> {
        guard let user = device.account else { return .failure(.signedOut) }
        if let failure = requestFailure(device) { return .failure(failure) }
        let isShort = token == nil && strikes(.shortList)
        let page = cloud.databasePage(user, token, limit: 1 + random.below(4)) { zone in
            // Only a zone that is known can be missed in a list.
            isShort && device.machine.state.zones[RecordZone.ID(zone)] != nil
        }
        if case .success(let page) = page {
            device.databasePage = page
            device.purging = Set(page.deleted.filter(\.isPurged).map(\.zone))
        }
        return page
    }

    private func zonePage(
        _ device: SimDevice, _ zone: RecordZone.ID, _ token: ChangeToken?
    ) -> Result<SyncAnswer.ZonePage, SyncFailure> {
        guard let user = device.account else { return .failure(.signedOut) }
        if let failure = requestFailure(device) { return .failure(failure) }
        if strikes(.zoneBusy) { return .failure(.busy(retryAfter: .seconds(2))) }
        let page = cloud.zonePage(
            zone.zoneName, user, token, limit: 1 + random.below(plan.bulk > 1 ? 400 : 4),
            shuffledBy: &random)
        if case .failure(.zoneMissing(isPurged: true)) = page,
            device.machine.state.zones[zone]?.isDoubted == true
        {
            device.purging = [zone]
        }
        if case .success(let found) = page {
            let records = cloud.accounts[user]?.zones[zone.zoneName]?.records ?? [:]
            let stored = found.changed.compactMap { entry in
                records[entry.name].map { (entry.name, $0) }
            }
            device.page = (Dictionary(stored) { $1 }, found.deleted)
        }
        return page
    }

    // MARK: Sending

    private func batch(_ device: SimDevice, _ run: SyncRun) -> SyncBatch? {
        guard case .send(let scope) = run.job else { return nil }
        var batch = SyncBatch(saves: [], deletes: [], isAtomic: plan.isAtomic)
        var sizeMax = plan.bulk > 1 ? 1000 : 1 + random.below(6)
        // The app has learnt how much of one zone goes at once.
        if isQuiet, plan.isAtomic { sizeMax = min(sizeMax, plan.serverMax) }
        for change in device.machine.state.records.changes where scope.contains(change.id) {
            guard batch.saves.count + batch.deletes.count < sizeMax else { break }
            switch change {
            case .delete(let id): batch.deletes.append(id)
            case .save(let id):
                if device.app.zones[id.zoneID.zoneName]?[id.recordName] == nil {
                    device.apply([.remove(change)])
                } else {
                    batch.saves.append(id)
                }
            }
        }
        device.batch = batch.changes.map { change in
            device.app.zones[change.id.zoneID.zoneName]?[change.id.recordName]?.value
        }
        return batch.changes.isEmpty ? nil : batch
    }

    private func send(
        _ changes: [PendingZoneChange], _ device: SimDevice
    ) throws -> [SyncResult] {
        try checkSize(changes.count)
        if let failure = sendFailure(device, .sendZones(changes), []) {
            return changes.map { _ in .failed(failure) }
        }
        guard let user = device.account else { return changes.map { _ in .failed(.signedOut) } }
        let results = carryOut(changes, user)
        return strikes(.cutAfter)
            ? changes.map { _ in .failed(.transient(retryAfter: nil)) } : results
    }

    func carryOut(_ changes: [PendingZoneChange], _ user: String) -> [SyncResult] {
        changes.map { change in
            switch change {
            case .save(let id):
                if strikes(.itemTransient) { return .failed(.busy(retryAfter: nil)) }
                cloud.createZone(id.zoneName, user)
                return .saved(type: "")
            case .delete(let id):
                cloud.deleteZone(id.zoneName, user, isPurged: false)
                return .deleted
            }
        }
    }

    private func send(_ part: BatchPart, _ device: SimDevice) throws -> [SyncResult] {
        try checkSize(part.changes.count)
        let values = part.positions.map { device.batch[$0] }
        device.results = part.changes.map { _ in (.failed(.lasting), nil, nil) }
        func all(_ failure: SyncFailure) -> [SyncResult] {
            device.results = part.changes.map { _ in (.failed(failure), nil, nil) }
            return device.results.map(\.0)
        }
        if part.changes.count > plan.serverMax { return all(.tooLarge) }
        if let failure = sendFailure(device, .sendRecords(part), values) { return all(failure) }
        guard let user = device.account else { return all(.signedOut) }
        let tags = Dictionary(
            part.changes.map { change in
                let local = device.app.zones[change.id.zoneID.zoneName]?[change.id.recordName]
                return (change.id, local?.tag)
            }
        ) { $1 }
        let results = carryOut(part, values, tags: tags, user, isLate: false)
        if strikes(.cutAfter) { return all(.transient(retryAfter: nil)) }
        device.results = results
        return results.map(\.0)
    }

    private func sendFailure(
        _ device: SimDevice, _ effect: SyncEffect, _ values: [Int?]
    ) -> SyncFailure? {
        guard let failure = requestFailure(device) else { return nil }
        if failure == .transient(retryAfter: nil), random.chance(0.3), let user = device.account {
            late.append((device, effect, values, user))
        }
        return failure
    }

    private func checkSize(_ count: Int) throws {
        guard count <= 200 else { throw Breach("size", "\(count) items in one request") }
    }

    func carryOut(
        _ part: BatchPart, _ values: [Int?], tags: [Record.ID: String?], _ user: String,
        isLate: Bool
    ) -> [(SyncResult, SimCloud.Stored?, SimCloud.ItemFailure?)] {
        let before = cloud
        var results: [(SyncResult, SimCloud.Stored?, SimCloud.ItemFailure?)] = []
        for (change, value) in zip(part.changes, values) {
            results.append(carryOut(change, value, tags[change.id] ?? nil, user))
        }
        guard part.isAtomic else { return results }
        let failed = Set(
            zip(part.changes, results).filter { if case .failed = $1.0 { true } else { false } }
                .map { $0.0.id.zoneID })
        guard !failed.isEmpty else { return results }
        // All or none of each zone.
        for zone in failed {
            cloud.accounts[user]?.zones[zone.zoneName] =
                before.accounts[user]?.zones[zone.zoneName]
        }
        return zip(part.changes, results).map { change, result in
            guard failed.contains(change.id.zoneID) else { return result }
            if case .failed = result.0 { return result }
            return (.failed(.lasting), nil, nil)
        }
    }

    private func carryOut(
        _ change: PendingRecordChange, _ value: Int?, _ tag: String?, _ user: String
    ) -> (SyncResult, SimCloud.Stored?, SimCloud.ItemFailure?) {
        if strikes(.itemTransient) { return (.failed(.busy(retryAfter: .seconds(3))), nil, nil) }
        if strikes(.itemLasting) { return (.failed(.lasting), nil, nil) }
        let (name, zone) = (change.id.recordName, change.id.zoneID.zoneName)
        guard case .save = change, let value else {
            guard cloud.delete(name, in: zone, user) else {
                return (.failed(.zoneMissing(isPurged: false)), nil, .zoneMissing)
            }
            return (.deleted, nil, nil)
        }
        switch cloud.save(name, in: zone, user, value: value, tag: tag) {
        case .success(let stored): return (.saved(type: "Note"), stored, nil)
        case .failure(let error):
            let failure: SyncFailure =
                error.failure == .zoneMissing ? .zoneMissing(isPurged: false) : .lasting
            return (.failed(failure), nil, error.failure)
        }
    }
}
