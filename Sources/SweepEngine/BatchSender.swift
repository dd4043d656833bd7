import AsyncOperations
import CloudModel

/// Sends the items of one step until each is settled: repeats only what failed, and halves a batch
/// that is too large.
struct BatchSender: Sendable {
    let courier: Courier
    let address: Database.Address
    let attempts: Int
    /// The largest batch the database took so far, shared by the steps of a kind.
    let batchSize: Locked<Int>
    /// Whether a whole request refused with ZONE_NOT_FOUND means that all its items are gone.
    let zoneGoneMeansItemsGone: Bool
    /// Sends one batch; answers by name.
    let send: @Sendable ([String]) async throws(SweepFailure) -> [String: ItemAnswer]

    /// - Throws: `stopped` with items unsettled; what was sent may have been carried out.
    func settle(_ names: [String]) async throws(SweepFailure) -> BatchResult {
        var result = BatchResult()
        var budget = RetryBudget(attempts: attempts)
        var pending = names
        // Items that were refused beside others and get one chance alone.
        var alone: Set<String> = []
        while !pending.isEmpty {
            let size = alone.isEmpty ? batchSize.withLock { $0 } : 1
            let batch = Array(pending.prefix(size))
            pending.removeFirst(batch.count)
            result.requests += 1
            do throws(SweepFailure) {
                let answers = try await send(batch)
                let before = result.deleted + result.alreadyGone + result.failures.count
                let (again, worst) = sort(batch, answers, &alone, &result)
                if result.deleted + result.alreadyGone + result.failures.count > before {
                    budget = RetryBudget(attempts: attempts)
                }
                guard let worst else {
                    pending = again + pending
                    continue
                }
                do throws(SweepFailure) {
                    try await courier.waitOrGiveUp(worst, &budget, at: address)
                    pending += again
                } catch {
                    guard case .refused(let cloudError) = error, !courier.isStopped else {
                        throw .stopped
                    }
                    result.failures += again.map { .init(name: $0, error: cloudError) }
                }
            } catch {
                guard case .refused(let cloudError) = error else { throw error }
                pending =
                    try await afterRefusal(of: batch, cloudError, &budget, &result) + pending
            }
        }
        return result
    }

    /// Deals with the refusal of a whole request.
    ///
    /// - Returns: the items to send again.
    private func afterRefusal(
        of batch: [String], _ error: CloudError, _ budget: inout RetryBudget,
        _ result: inout BatchResult
    ) async throws(SweepFailure) -> [String] {
        switch ErrorPolicy.decision(for: error.code) {
        case .halve where batch.count > 1:
            batchSize.withLock { $0 = max(1, min($0, batch.count / 2)) }
            return batch
        case .doneAlready where zoneGoneMeansItemsGone && error.code == .zoneNotFound:
            result.alreadyGone += batch.count
            return []
        case .afterTheOthers:
            result.deferred += batch
            return []
        case .waitAndRepeat, .reread, .signInAgain, .stop:
            do throws(SweepFailure) {
                try await courier.waitOrGiveUp(error, &budget, at: address)
                return batch
            } catch {
                guard case .refused(let cloudError) = error, !courier.isStopped else {
                    throw .stopped
                }
                result.failures += batch.map { .init(name: $0, error: cloudError) }
                return []
            }
        case .halve, .doneAlready, .report:
            result.failures += batch.map { .init(name: $0, error: error) }
            return []
        }
    }

    /// Sorts the items of an answered batch.
    ///
    /// - Returns: the items to send again, and the error that asks for the longest wait; nil when
    ///   they can be sent at once.
    private func sort(
        _ batch: [String], _ answers: [String: ItemAnswer], _ alone: inout Set<String>,
        _ result: inout BatchResult
    ) -> (again: [String], worst: CloudError?) {
        var again: [String] = []
        var worst: CloudError?
        for name in batch {
            let wasAlone = batch.count == 1
            if wasAlone { alone.remove(name) }
            let error: CloudError
            switch answers[name] {
            case .deleted:
                result.deleted += 1
                continue
            case .failure(let refused): error = refused
            case nil:
                error = CloudError(.unexpectedResponse, reason: "the answer lacks an item")
            }
            switch ErrorPolicy.decision(for: error.code) {
            case .doneAlready:
                result.alreadyGone += 1
            case .waitAndRepeat, .reread, .signInAgain, .stop:
                again.append(name)
                if worst == nil || (error.retryAfter ?? .zero) > (worst?.retryAfter ?? .zero) {
                    worst = error
                }
            case .halve where !wasAlone:
                again.append(name)
                alone.insert(name)
            case .afterTheOthers:
                result.deferred.append(name)
            case .halve, .report:
                result.failures.append(.init(name: name, error: error))
            }
        }
        return (again, worst)
    }
}
