import CloudModel
import DonationSync
import Donations
import MockStore

// The way to the service and back, with what goes wrong on it.
extension Simulation {
    /// Sends a request of a device and gives what comes back.
    func exchange(
        _ command: CloudCommand, at address: Database.Address, by user: String, device: Int
    ) -> Result<CloudReply, CloudError> {
        requests += 1
        if let crash = plan.serviceCrash, crash.request == requests {
            journal.note(18, words: "  the service dies, stored: \(crash.isCommitted)")
            if crash.isCommitted { commit(command, at: address, by: user, device: device) }
            do {
                // What is in its store is all that is left of it.
                try cloud.restore(try cloud.snapshot())
            } catch {
                breach = Breach("service", "\(error)")
            }
            return .failure(CloudError(crash.isCommitted ? .responseLost : .networkFailure))
        }
        if let error = refusal() {
            journal.note(10, words: "  device \(device): \(error.code.rawValue), not done")
            return .failure(error)
        }
        if let answer = spoiltFeed(command, at: address, by: user, device: device) {
            journal.note(11, words: "  device \(device): an odd page of \(command.operationPath)")
            return answer
        }
        let result: Result<CloudReply, CloudError>
        if case .write(.modifyRecords(let request)) = command, mix.strikes(.itemErrors, &network) {
            result = withItemErrors(request, at: address, by: user, device: device)
        } else {
            result = commit(command, at: address, by: user, device: device)
        }
        if mix.strikes(.duplicate, &network) {
            journal.note(12, words: "  device \(device): and once more")
            let second = commit(command, at: address, by: user, device: device)
            if network.chance(0.5) { return second }
        }
        if mix.strikes(.lateDuplicate, &network) {
            late.append((address, command, user, device, askedNonce(device)))
        }
        if mix.strikes(.cutAfterCommit, &network) {
            journal.note(13, words: "  device \(device): done, but the answer is lost")
            return .failure(CloudError(.responseLost))
        }
        return result
    }

    /// A proxy sends something a second time.
    func sendLate() {
        let (address, command, user, device, nonce) = late.remove(at: network.below(late.count))
        journal.note(
            14, words: "again, late, of device \(device): \(Self.describe(command))")
        _ = commit(
            command, at: address, by: user, device: device, isLate: true, lateNonce: nonce)
    }

    /// The nonce of the zone that a device made up its request for.
    private func askedNonce(_ device: Int?) -> String? {
        device.flatMap { $0 < plan.devices ? devices[$0].asked[0].nonce : nil }
    }

    private func refusal() -> CloudError? {
        if mix.strikes(.cutBeforeCommit, &network) { return CloudError(.networkFailure) }
        if mix.strikes(.throttled, &network) {
            return CloudError(
                .throttled, retryAfter: network.pick([nil, .seconds(1), .seconds(30)]),
                httpStatus: 429)
        }
        if mix.strikes(.busy, &network) {
            return CloudError(
                .tryAgainLater, retryAfter: network.pick([nil, .seconds(3), .seconds(600)]),
                httpStatus: 503)
        }
        if mix.strikes(.serverError, &network) {
            return CloudError(.internalError, httpStatus: 500)
        }
        if mix.strikes(.tokenRotated, &network) {
            return CloudError(.authenticationRequired, httpStatus: 421)
        }
        return nil
    }

    /// Pages that say nothing, say the same again, or refuse the position.
    private func spoiltFeed(
        _ command: CloudCommand, at address: Database.Address, by user: String, device: Int
    ) -> Result<CloudReply, CloudError>? {
        switch command {
        case .read(.databaseChanges(let token?, _)):
            if mix.strikes(.databaseTokenExpired, &network) { return .failure(.expired) }
            guard mix.strikes(.staleZoneList, &network) else { return nil }
            return .success(.zonePage(ZonePage(zones: [], token: token, moreComing: false)))
        case .read(.zoneChanges(let requests)):
            guard requests.count == 1, let request = requests.first, let token = request.token
            else { return nil }
            if SimWorld.contentZones.contains(request.zoneID.zoneName),
                mix.strikes(.zoneVanishes, &network)
            {
                let error = CloudError(.zoneNotFound, reason: "Zone does not exist")
                return .success(.zoneChanges([.failure(request.zoneID, error)]))
            }
            if mix.strikes(.zoneTokenExpired, &network) {
                return .success(.zoneChanges([.failure(request.zoneID, .expired)]))
            }
            let isEmpty = mix.strikes(.emptyPage, &network)
            guard isEmpty || mix.strikes(.repeatedPage, &network) else { return nil }
            let result = commit(command, at: address, by: user, device: device)
            guard case .success(.zoneChanges(let items)) = result,
                case .page(var page)? = items.first
            else { return result }
            // The position does not move, so that nothing is lost by it.
            page.token = token
            page.moreComing = true
            if isEmpty { page.records = [] }
            return .success(.zoneChanges([.page(page)]))
        default: return nil
        }
    }

    /// Some items fail by themselves, the others are done; of an atomic batch none is.
    private func withItemErrors(
        _ request: RecordModifyRequest, at address: Database.Address, by user: String, device: Int
    ) -> Result<CloudReply, CloudError> {
        let codes: [CloudError.Code] = [
            .internalError, .tryAgainLater, .throttled, .atomicError,
        ]
        let failing = Set(
            request.operations.indices.filter { _ in network.chance(0.4) }
                + [network.below(request.operations.count)])
        let code = network.pick(codes)
        journal.note(
            15, words: "  device \(device): items \(failing.sorted()) fail: \(code.rawValue)")
        var rest = request
        rest.operations = request.operations.indices.filter { !failing.contains($0) }
            .map { request.operations[$0] }
        var done: [Record.Item] = []
        if request.isAtomic(in: request.zoneID) {
            return .success(
                .records(
                    RecordsReply(
                        records: request.operations.enumerated().map { index, operation in
                            .failure(
                                recordName: operation.recordName ?? "",
                                CloudError(failing.contains(index) ? code : .atomicError))
                        }, failedAtomically: true)))
        }
        if !rest.operations.isEmpty {
            let result = commit(.write(.modifyRecords(rest)), at: address, by: user, device: device)
            guard case .success(.records(let reply)) = result else { return result }
            done = reply.records.reversed()
        }
        let items: [Record.Item] = request.operations.indices.map { index in
            if !failing.contains(index), let item = done.popLast() { return item }
            return .failure(
                recordName: request.operations[index].recordName ?? "", CloudError(code))
        }
        return .success(.records(RecordsReply(records: items)))
    }

    // MARK: What is really done

    /// Has the service carry a request out, and notes in the truth what that did.
    @discardableResult
    func commit(
        _ command: CloudCommand, at address: Database.Address, by user: String, device: Int?,
        isLate: Bool = false, lateNonce: String? = nil
    ) -> Result<CloudReply, CloudError> {
        let result = Result { () throws(CloudError) in
            try cloud.perform(command, at: address, by: .user(user))
        }
        if case .failure(let error) = result {
            journal.note(16, words: "  the service: \(error.code.rawValue) \(error.reason)")
        }
        if case .read(.zoneChanges(let requests)) = command, let device, !isLate,
            requests.contains(where: { $0.zoneID.zoneName == SimWorld.zone.zoneID.zoneName })
        {
            readings[device] = journal.steps
        }
        guard command.isModifying else { return result }
        writes += 1
        guard address == SimWorld.private, case .success(let reply) = result else {
            return result
        }
        do {
            try checkOwners(of: reply, user)
            guard user == "ada" else { return result }
            try observe(
                command, reply, device: isLate ? nil : device,
                nonce: isLate ? lateNonce : askedNonce(device))
        } catch {
            breach = breach ?? error
        }
        return result
    }

    /// I7, I10: nothing of one user comes to another one's zone, neither donations nor deletions.
    private func checkOwners(of reply: CloudReply, _ user: String) throws(Breach) {
        guard plan.engine == .ours, case .records(let reply) = reply else { return }
        for case .record(let record) in reply.records {
            if let tag = tag(of: record), let owner = truth.made[tag].user, owner != user {
                throw Breach("I10", "#\(tag) of \(owner) comes to \(user)")
            }
            if RecordName(record.id.recordName) != nil, user != "ada",
                case .timestamp(let at)? = record.fields["at"]?.value,
                truth.isErasure(at: at.milliseconds)
            {
                throw Breach("I10", "a deletion of ada comes to \(user)")
            }
        }
    }

    private func observe(
        _ command: CloudCommand, _ reply: CloudReply, device: Int?, nonce: String?
    ) throws(Breach) {
        switch (command, reply) {
        case (.write(.modifyZones(let operations)), .zones(let items)):
            for (operation, item) in zip(operations, items) {
                switch (operation, item) {
                case (.delete(let zone), .deleted): zoneIsGone(zone.zoneName)
                default: continue
                }
            }
        case (.write(.modifyRecords(let request)), .records(let reply)):
            for (operation, item) in zip(request.operations, reply.records) {
                let zone = (operation.zoneID ?? request.zoneID).zoneName
                switch item {
                case .record(let record):
                    try stored(record, in: zone, by: device, nonce: nonce)
                case .deleted(let name, _):
                    journal.note(words: "    deleted \(name.prefix(12))")
                    try checkSilence(of: name)
                    if SimWorld.contentZones.contains(zone) { contentIsGone(name, in: zone) }
                case .failure: continue
                }
            }
        default: return
        }
    }

    /// R6: no device is dropped from the register before it was silent for 180 days.
    private func checkSilence(of name: String) throws(Breach) {
        guard let heard = heardOf.removeValue(forKey: name) else { return }
        let days = (clock.now - heard) / 86_400_000
        guard days < 180 else { return }
        throw Breach("R6", "\(name) is dropped after \(days) days of silence")
    }

    private func stored(
        _ record: Record, in zone: String, by device: Int?, nonce: String?
    ) throws(Breach) {
        if SimWorld.contentZones.contains(zone) {
            content[zone, default: []].insert(record.id.recordName)
            return
        }
        guard zone == SimWorld.zone.zoneID.zoneName else { return }
        let name = record.id.recordName
        if name == "zone" {
            if case .bytes(let bytes)? = record.fields["base"]?.value {
                serverBase = truth.erasures(upTo: SimContext.read(bytes) ?? [:])
                // Whoever came to the register since the collector read it came too late.
                let read = device.flatMap { readings[$0] } ?? 0
                for member in members.keys where (registrations[member] ?? 0) >= read {
                    members[member] = serverBase
                }
            }
            if case .string(let nonce)? = record.fields["incarnation"]?.value {
                if nonce != serverNonce { beginZone(nonce) }
                journal.note(17, words: "  the donation zone is now \(nonce.prefix(8))")
            }
        } else if let number = RecordName(name) {
            guard case .timestamp(let at)? = record.fields["at"]?.value else { return }
            truth.stored(
                number, at: at.milliseconds, nonce: nonce == serverNonce ? serverNonce : nil)
            try checkWordless(record)
        } else if name.hasPrefix("v-") {
            heardOf[name] = clock.now
            if let device, device < plan.devices, members[device] == nil {
                members[device] = serverBase
                registrations[device] = journal.steps
            }
        } else if let tag = tag(of: record) {
            journal.note(words: "    stored \(name.prefix(8)) #\(tag)")
            truth.stored(tag, step: journal.steps)
            if let device, device < plan.devices, plan.engine == .ours {
                try checkUpload(tag, by: device)
            }
        }
    }

    /// The donation zone has a record with another nonce: whoever took part in one before does no
    /// longer.
    private func beginZone(_ nonce: String) {
        if let serverNonce { lostNonces.insert(serverNonce) }
        serverNonce = nonce
        members = [:]
    }

    /// The donation that a record is of.
    func tag(of record: Record) -> Int? {
        guard case .string(let title)? = record.fields["title"]?.value, title.hasPrefix("#"),
            let tag = Int(title.dropFirst()), tag < truth.made.count
        else { return nil }
        return tag
    }

    func zoneIsGone(_ zone: String) {
        content[zone] = nil
        truth.doubt { $0.row.link?.zone == zone }
        doubtBesides { $0.link?.zone == zone }
        guard zone == SimWorld.zone.zoneID.zoneName else { return }
        if let serverNonce { lostNonces.insert(serverNonce) }
        serverNonce = nil
        latestLoss = journal.steps
        members = [:]
        serverBase = 0
        truth.doubt { _ in true }
    }

    func contentIsGone(_ name: String, in zone: String) {
        content[zone]?.remove(name)
        doubtBesides { $0.link?.zone == zone && $0.link?.record == name }
    }

    /// Rows that such a row may rightly take along when it goes: its group, its saved activity,
    /// the activities of its item.
    func doubtBesides(_ goes: (Donation) -> Bool) {
        let rows = truth.made.map(\.row).filter(goes)
        let groups = Set(rows.compactMap(\.group))
        let persistent = Set(rows.compactMap(\.persistentIdentifier))
        let items = Set(rows.filter { $0.kind == .searchableItem }.map(\.identifier))
        truth.doubt { made in
            goes(made.row) || made.row.group.map(groups.contains) ?? false
                || made.row.persistentIdentifier.map(persistent.contains) ?? false
                || made.row.relatedIdentifier.map(items.contains) ?? false
        }
    }
}

extension CloudError {
    static let expired = CloudError(
        .badRequest, reason: "client knowledge differs from server knowledge", httpStatus: 400)
}
