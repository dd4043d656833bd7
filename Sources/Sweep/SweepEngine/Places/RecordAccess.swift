import CloudModel
import DeletionPlanning

/// How records are deleted and asked for by name, wherever they are.
enum RecordAccess {
    /// Deletes records without change tags, each on its own.
    static func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        guard case .records(let zone, _, _) = step.work else { return [:] }
        return try await send(names.map { .forceDelete($0) }, in: channel.own(zone), channel)
    }

    /// Deletes those records that the person created, as a look-up just before says. Where others
    /// have records too, a listing that was told wrongly, or a record that changed hands since, must
    /// cost nobody else's: what is deleted is what was looked at, by its change tag.
    static func removeMine(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        guard case .records(let zone, _, _) = step.work else { return [:] }
        let zoneID = channel.own(zone)
        let chosen = try await choose(names, fields: [], in: zoneID, channel) { record in
            // A name that stands for whoever asks is not the person's: that may be a key.
            guard record.created.userRecordName == channel.person.userRecordName
            else { return .failure(.isNotMine) }
            return .success(
                RecordOperation(
                    .delete, recordName: record.id.recordName,
                    recordChangeTag: record.recordChangeTag))
        }
        guard !chosen.operations.isEmpty else { return chosen.answers }
        let sent = try await send(chosen.operations, in: zoneID, channel)
        return chosen.answers.merging(sent) { _, told in told }
    }

    /// Clears the `DELETE_SELF` references that records have to others of their zone, so that deleting
    /// the others does not delete these too. Only for records that are about to be deleted. Where
    /// others have records too, only those that the person created are changed.
    ///
    /// - Returns: for each name `deleted` where references were cleared.
    static func clearReferences(
        of names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        guard case .records(let zone, _, _) = step.work else { return [:] }
        let zoneID = channel.own(zone)
        let chosen = try await choose(names, fields: nil, in: zoneID, channel) { record in
            let fields = record.deleteSelfFields
            let isMine =
                channel.database.address.scope == .private
                || record.created.userRecordName == channel.person.userRecordName
            guard isMine, !fields.isEmpty else { return .failure(.nothingToClear) }
            return .success(
                RecordOperation(
                    .update, recordName: record.id.recordName, recordType: record.recordType,
                    recordChangeTag: record.recordChangeTag,
                    fields: Dictionary(uniqueKeysWithValues: fields.map { ($0, nil) })))
        }
        guard !chosen.operations.isEmpty else { return chosen.answers }
        var answers = chosen.answers
        for item in try await modify(chosen.operations, in: zoneID, channel) {
            switch item {
            case .record(let record): answers[record.id.recordName] = .deleted
            case .failure(let name, let error): answers[name] = .failure(error)
            case .deleted: continue
            }
        }
        return answers
    }

    /// Looks records up, and decides what is sent of each.
    ///
    /// - Parameters:
    ///   - fields: The fields to read; nil: all.
    ///   - operation: What is sent, or why nothing is.
    /// - Returns: what is sent, and the answers for the other names.
    private static func choose(
        _ names: [String], fields: [String]?, in zone: RecordZone.ID, _ channel: WriteChannel,
        _ operation: (Record) -> Result<RecordOperation, CloudError>
    ) async throws(SweepFailure) -> (operations: [RecordOperation], answers: [String: ItemAnswer]) {
        let command = CloudRead.lookUpRecords(
            RecordLookupRequest(recordNames: names, zoneID: zone, desiredKeys: fields))
        guard case .records(let found) = try await channel.read(command),
            found.records.count == names.count
        else { throw .refused(.wrongReply(to: command)) }
        var answers: [String: ItemAnswer] = [:]
        var operations: [RecordOperation] = []
        for item in found.records {
            switch item {
            case .record(let record):
                switch operation(record) {
                case .success(let operation): operations.append(operation)
                case .failure(let error): answers[record.id.recordName] = .failure(error)
                }
            case .failure(let name, let error): answers[name] = .failure(error)
            case .deleted: throw .refused(.wrongReply(to: command))
            }
        }
        return (operations, answers)
    }

    private static func send(
        _ operations: [RecordOperation], in zone: RecordZone.ID, _ channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        var answers: [String: ItemAnswer] = [:]
        for item in try await modify(operations, in: zone, channel) {
            switch item {
            case .deleted(let name, _): answers[name] = .deleted
            case .failure(let name, let error): answers[name] = .failure(error)
            case .record: continue
            }
        }
        return answers
    }

    private static func modify(
        _ operations: [RecordOperation], in zone: RecordZone.ID, _ channel: WriteChannel
    ) async throws(SweepFailure) -> [Record.Item] {
        let write = CloudWrite.modifyRecords(
            RecordModifyRequest(
                operations: operations, zoneID: zone, atomic: false, desiredKeys: []))
        guard case .records(let reply) = try await channel.send(write) else {
            throw .refused(.wrongReply(to: write))
        }
        return reply.records
    }

    /// Looks records up by name, which asks no index.
    static func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        guard case .records(let zone, _, _) = step.work else { return [] }
        return try await answering(step.names, in: look.own(zone)) {
            (command) async throws(SweepFailure) in try await look.read(command)
        }
    }

    /// - Parameters:
    ///   - zone: As requests name it.
    ///   - read: Sends a request until it is answered.
    /// - Returns: those of `names` that are there; none where their zone is gone, and all that was in
    ///   it.
    static func answering(
        _ names: [String], in zone: RecordZone.ID,
        _ read: (CloudRead) async throws(SweepFailure) -> CloudReply
    ) async throws(SweepFailure) -> [String] {
        var there: [String] = []
        do throws(SweepFailure) {
            try await NameBatches.each(of: names) { (batch) async throws(SweepFailure) in
                there += try await answering(batch: batch, in: zone, read)
            }
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .zoneNotFound,
                !zone.isDefault
            else { throw error }
        }
        return there
    }

    private static func answering(
        batch names: [String], in zone: RecordZone.ID,
        _ read: (CloudRead) async throws(SweepFailure) -> CloudReply
    ) async throws(SweepFailure) -> [String] {
        let command = CloudRead.lookUpRecords(
            RecordLookupRequest(recordNames: names, zoneID: zone, desiredKeys: []))
        guard case .records(let reply) = try await read(command),
            reply.records.count == names.count
        else { throw .refused(.wrongReply(to: command)) }
        var there: [String] = []
        for (name, item) in zip(names, reply.records) {
            switch item {
            case .record: there.append(name)
            case .deleted: throw .refused(.wrongReply(to: command))
            case .failure(_, let error)
            where error.code == .notFound || (error.code == .zoneNotFound && !zone.isDefault):
                continue
            case .failure(_, let error): throw .refused(error)
            }
        }
        return there
    }
}

extension CloudError {
    /// The record is no reason why the deletion of another takes too many along.
    fileprivate static let nothingToClear = CloudError(
        .accessDenied, reason: "the record has no reference that deletes it")
    /// The record stays: looked at just before its deletion, it was not the person's.
    static let isNotMine = CloudError(
        .accessDenied,
        reason: "just before its deletion the service no longer reported the user as its creator")
}
