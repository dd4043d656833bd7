import CloudModel
import DeletionPlanning
import Journal

/// The record that every user has in a container: it cannot be deleted, so its fields are cleared.
struct UserRecord: Place {
    let kind = CoverageRow.Kind.userRecord
    let scope = Database.Scope.public
    let items: Set<ItemKind> = [.userRecord]

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        if let record = try await record(of: look), !record.fields.isEmpty {
            try await look.note([look.row(.userRecord)])
            try await look.noteAssets(of: [record], in: RecordZone.ID.default.zoneName)
        }
        return .complete
    }

    private func record(of look: PlaceLook) async throws(SweepFailure) -> Record? {
        let command = CloudRead.lookUpRecords(
            RecordLookupRequest(recordNames: [look.person.userRecordName]))
        guard case .records(let reply) = try await look.read(command), reply.records.count == 1
        else { throw .refused(.wrongReply(to: command)) }
        switch reply.records[0] {
        case .record(let record): return record
        case .deleted: throw .refused(.wrongReply(to: command))
        case .failure(_, let error) where error.code == .notFound: return nil
        case .failure(_, let error): throw .refused(error)
        }
    }

    func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        try await record(of: look)?.fields.isEmpty == false ? step.names : []
    }

    /// Overwrites the record with nothing. Only fields that are there can be cleared: look first.
    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        let person = channel.person.userRecordName
        let command = CloudRead.lookUpRecords(RecordLookupRequest(recordNames: [person]))
        guard case .records(let found) = try await channel.look(command), found.records.count == 1
        else { throw .refused(.wrongReply(to: command)) }
        switch found.records[0] {
        case .failure(_, let error): return [names[0]: .failure(error)]
        case .deleted: throw .refused(.wrongReply(to: command))
        case .record(let record):
            let write = CloudWrite.modifyRecords(
                RecordModifyRequest(
                    operations: [
                        RecordOperation(
                            .forceReplace, recordName: person, recordType: record.recordType)
                    ], atomic: false))
            guard case .records(let reply) = try await channel.send(write),
                reply.records.count == 1
            else { throw .refused(.wrongReply(to: write)) }
            if case .failure(_, let error) = reply.records[0] {
                return [names[0]: .failure(explained(error, channel.request))]
            }
            // The record's name is the person's: it goes into no plan and no report.
            return [names[0]: .deleted]
        }
    }

    /// A key's refusal with what would help; any other error as it is.
    private func explained(_ error: CloudError, _ request: SweepRequest) -> CloudError {
        guard error.code == .accessDenied, request.namedPerson != nil else { return error }
        return CloudError(
            error.code,
            reason: "\(error.reason); users' own records need a sign-in, not a key",
            retryAfter: error.retryAfter, httpStatus: error.httpStatus)
    }
}
