import CloudModel
import DeletionPlanning
import Journal

/// Zones that others share with the person: listed, read for what the person created there, and left.
/// Nothing of their owners' is ever deleted.
struct SharedZones: Place {
    let kind = CoverageRow.Kind.sharedZones
    let scope = Database.Scope.shared
    let items: Set<ItemKind> = [.sharedZone]
    /// Leaving takes several requests, each about one zone.
    let batchMax = 1

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        let listing = ZoneListing(look: look, kind: kind) {
            look.row(.sharedZone, zone: $0.qualifiedName)
        }
        var finding = try await listing.all()
        finding.add(try await SharedZoneContents(look: look).lookIntoAll())
        return finding
    }

    func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        try await ZoneAccess.answering(step, look)
    }

    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        var answers: [String: ItemAnswer] = [:]
        for name in names { answers[name] = try await leave(name, step, channel) }
        return answers
    }

    /// Leaves one zone: by the record that shares it as a whole, else by the zone itself, else by the
    /// records of all shares in it. Nobody has written down which of them the service takes.
    private func leave(
        _ name: String, _ step: DeletionStep, _ channel: WriteChannel
    ) async throws(SweepFailure) -> ItemAnswer? {
        let zone = RecordZone.ID(qualifiedName: name)
        if try await stillHoldsMine(zone, of: step, channel) { return .failure(.stillHoldsMine) }
        let wasTold = try await leave(zone, by: [Share.zoneWideName], channel)
        if wasTold, try await isGone(zone, channel) { return .deleted }
        let answer = try await ZoneAccess.remove([name], through: channel)[name]
        guard case .failure(let error) = answer else { return answer }
        guard error.code == .accessDenied || error.code == .badRequest else { return answer }
        try await leaveByAllShares(zone, channel)
        return try await isGone(zone, channel) ? .deleted : answer
    }

    /// Whether something is there that the person created and that has to go first. Once the zone is
    /// left, nobody could see any more whether it went, so it is looked at just before: in the zone's
    /// changes, which may leave things out, and by the name of everything that was to go.
    private func stillHoldsMine(
        _ zone: RecordZone.ID, of step: DeletionStep, _ channel: WriteChannel
    ) async throws(SweepFailure) -> Bool {
        guard channel.request.policy.deletesMineInShared(in: step.container) else { return false }
        var holdsMine = false
        try await channel.eachRecordPage(of: ZoneFeed(zone: zone, desiredKeys: [])) {
            (records) async throws(SweepFailure) in
            for record in records where try record.isMade(by: channel.person) { holdsMine = true }
        }
        try await channel.planned.eachPage(of: .sharedRecord, in: zone.qualifiedName) {
            (names) async throws(SweepFailure) in
            let there = try await RecordAccess.answering(names, in: zone) {
                (command) async throws(SweepFailure) in try await channel.read(command)
            }
            holdsMine = holdsMine || !there.isEmpty
        }
        return holdsMine
    }

    /// Deletes the records of shares, which takes the person off them.
    ///
    /// - Returns: Whether the service says that it was done; where it refuses, there are other ways.
    private func leave(
        _ zone: RecordZone.ID, by shares: [String], _ channel: WriteChannel
    ) async throws(SweepFailure) -> Bool {
        let write = CloudWrite.modifyRecords(
            RecordModifyRequest(
                operations: shares.map { .forceDelete($0) }, zoneID: zone, atomic: false,
                desiredKeys: []))
        do throws(SweepFailure) {
            guard case .records(let reply) = try await channel.send(write) else {
                throw .refused(.wrongReply(to: write))
            }
            return reply.records.allSatisfy { if case .deleted = $0 { true } else { false } }
        } catch {
            guard case .refused(let refusal) = error,
                [.accessDenied, .badRequest, .notFound, .zoneNotFound].contains(refusal.code)
            else { throw error }
            return false
        }
    }

    /// Leaves every share that shows something of a zone.
    private func leaveByAllShares(
        _ zone: RecordZone.ID, _ channel: WriteChannel
    ) async throws(SweepFailure) {
        try await channel.eachRecordPage(of: ZoneFeed(zone: zone, desiredKeys: [])) {
            (records) async throws(SweepFailure) in
            let shares = records.filter { $0.recordType == Share.recordType }
                .map(\.id.recordName)
            if !shares.isEmpty { _ = try await leave(zone, by: shares, channel) }
        }
    }

    private func isGone(
        _ zone: RecordZone.ID, _ channel: WriteChannel
    ) async throws(SweepFailure) -> Bool {
        let command = CloudRead.lookUpZones([zone])
        guard case .zones(let items) = try await channel.read(command), items.count == 1 else {
            throw .refused(.wrongReply(to: command))
        }
        if case .failure(_, let error) = items[0] { return error.code == .zoneNotFound }
        return false
    }
}

extension CloudError {
    /// The zone is not left: afterwards nobody could delete what the person created in it.
    fileprivate static let stillHoldsMine = CloudError(
        .accessDenied,
        reason: "records created by the user are still in it; with \"leaveShared\": "
            + "\"keep-mine\" they stay with its owner, and the zone is left")
}
