import CloudModel
import DeletionPlanning

extension StepExecutor {
    /// Sends a step, or some of its items, until each is settled.
    func send(
        _ step: DeletionStep, only names: [String]? = nil, to database: any CloudDatabase
    ) async throws(SweepFailure) -> BatchResult {
        switch step.work {
        case .zones(let zones):
            try await sender(step, database) { (names) async throws(SweepFailure) in
                try await self.deleteZones(names, database)
            }.settle(names ?? zones.map(\.zoneName))
        case .records(let zone, _, let list):
            try await sender(step, database) { (names) async throws(SweepFailure) in
                try await self.deleteRecords(names, in: zone, database)
            }.settle(names ?? list)
        case .subscriptions(let ids):
            try await sender(step, database) { (names) async throws(SweepFailure) in
                try await self.deleteSubscriptions(names, database)
            }.settle(names ?? ids)
        case .defaultZone: try await tryDefaultZone(database)
        case .userRecord: try await clearUserRecord(step, database)
        }
    }

    private func sender(
        _ step: DeletionStep, _ database: any CloudDatabase,
        _ send: @escaping @Sendable ([String]) async throws(SweepFailure) -> [String: ItemAnswer]
    ) -> BatchSender {
        let isRecords = if case .records = step.work { true } else { false }
        return BatchSender(
            courier: courier, address: database.address, attempts: request.limits.attemptsMax,
            batchSize: batchSize(step.seenKind, database.address),
            zoneGoneMeansItemsGone: isRecords, send: send)
    }

    // MARK: The requests

    private func deleteZones(
        _ names: [String], _ database: any CloudDatabase
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        let command = CloudCommand.modifyZones(names.map { .delete(RecordZone.ID($0)) })
        guard case .zones(let items) = try await courier.send(command, to: database) else {
            throw .refused(.wrongReply(to: command))
        }
        var answers: [String: ItemAnswer] = [:]
        for item in items {
            switch item {
            case .deleted(let id, _): answers[id.zoneName] = .deleted
            case .failure(let id, let error): answers[id.zoneName] = .failure(error)
            case .zone: continue
            }
        }
        return answers
    }

    private func deleteRecords(
        _ names: [String], in zone: RecordZone.ID, _ database: any CloudDatabase
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        let command = CloudCommand.modifyRecords(
            RecordModifyRequest(
                operations: names.map { .forceDelete($0) }, zoneID: zone, atomic: false,
                desiredKeys: []))
        guard case .records(let reply) = try await courier.send(command, to: database) else {
            throw .refused(.wrongReply(to: command))
        }
        var answers: [String: ItemAnswer] = [:]
        for item in reply.records {
            switch item {
            case .deleted(let name, _): answers[name] = .deleted
            case .failure(let name, let error): answers[name] = .failure(error)
            case .record: continue
            }
        }
        return answers
    }

    private func deleteSubscriptions(
        _ ids: [String], _ database: any CloudDatabase
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        let command = CloudCommand.modifySubscriptions(ids.map { .delete($0) })
        guard case .subscriptions(let items) = try await courier.send(command, to: database) else {
            throw .refused(.wrongReply(to: command))
        }
        var answers: [String: ItemAnswer] = [:]
        for item in items {
            switch item {
            case .deleted(let id): answers[id] = .deleted
            case .failure(let id, let error): answers[id] = .failure(error)
            case .subscription: continue
            }
        }
        return answers
    }

    /// Tries to delete the default zone whole. Nothing is concluded from the answer: its records
    /// are deleted by name all the same, and verification looks at what is there.
    private func tryDefaultZone(
        _ database: any CloudDatabase
    ) async throws(SweepFailure) -> BatchResult {
        var result = BatchResult()
        var budget = RetryBudget(attempts: request.limits.attemptsMax)
        let command = CloudCommand.modifyZones([.delete(.default)])
        while true {
            result.requests += 1
            let refusal: CloudError
            do throws(SweepFailure) {
                let reply = try await courier.send(command, to: database)
                guard case .zones(let items) = reply, case .failure(_, let error)? = items.first
                else { return result }
                refusal = error
            } catch {
                guard case .refused(let error) = error else { throw error }
                refusal = error
            }
            switch ErrorPolicy.decision(for: refusal.code) {
            case .waitAndRepeat where refusal.code != .internalError, .signInAgain, .stop:
                do throws(SweepFailure) {
                    try await courier.waitOrGiveUp(refusal, &budget, at: database.address)
                } catch {
                    guard case .refused = error, !courier.isStopped else { throw .stopped }
                    return result
                }
            case .waitAndRepeat, .halve, .reread, .doneAlready, .afterTheOthers, .report:
                return result
            }
        }
    }

    /// Overwrites the user's own record with nothing; the record itself cannot be deleted.
    private func clearUserRecord(
        _ step: DeletionStep, _ database: any CloudDatabase
    ) async throws(SweepFailure) -> BatchResult {
        guard let user = identities[step.container]?.userRecordName else { throw .stopped }
        let sender = sender(step, database) { (names) async throws(SweepFailure) in
            // Only fields that are there can be cleared: look first.
            let lookUp = CloudCommand.lookUpRecords(RecordLookupRequest(recordNames: [user]))
            guard case .records(let found) = try await self.courier.send(lookUp, to: database),
                let item = found.records.first
            else { throw .refused(.wrongReply(to: lookUp)) }
            guard case .record(let record) = item else {
                if case .failure(_, let error) = item { return [names[0]: .failure(error)] }
                return [names[0]: .failure(CloudError(.notFound))]
            }
            let operation = RecordOperation(
                .forceReplace, recordName: user, recordType: record.recordType)
            let command = CloudCommand.modifyRecords(
                RecordModifyRequest(operations: [operation], atomic: false))
            guard case .records(let reply) = try await self.courier.send(command, to: database),
                let answer = reply.records.first
            else { throw .refused(.wrongReply(to: command)) }
            if case .failure(_, let error) = answer { return [names[0]: .failure(error)] }
            return [names[0]: .deleted]
        }
        // The record's name is the user's: it goes into no journal.
        return try await sender.settle([DeletionStep.userRecordType])
    }
}
