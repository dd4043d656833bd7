import AsyncOperations
import CloudCourier
import CloudModel

/// Sends the items of one step until each is settled: repeats only what failed, and halves a batch
/// that is too large.
struct BatchSender: Sendable {
    enum RefusedItem: Sendable {
        /// It is sent once more alone; refused again, it fails.
        case failsAlone
        /// It is deferred.
        case isDeferred
    }

    let courier: SweepCourier
    let address: Database.Address
    let attempts: Int
    /// The largest batch the database took so far, shared by the steps of a kind.
    let batchSize: Locked<Int>
    /// Whether a whole request refused with ZONE_NOT_FOUND means that all its items are gone.
    let zoneGoneMeansItemsGone: Bool
    /// What becomes of an item that the service refuses as a bad request.
    var refusedItem = RefusedItem.failsAlone
    /// Sends one batch; answers by name.
    let send: @Sendable ([String]) async throws(SweepFailure) -> [String: ItemAnswer]

    /// - Throws: `stopped` with items unsettled; what was sent may have been carried out.
    func settle(_ names: [String]) async throws(SweepFailure) -> BatchResult {
        var result = BatchResult(of: names.count)
        var budget = RetryBudget(attempts: attempts)
        var pending = names
        // Items that were refused beside others and get one chance alone.
        var alone: Set<String> = []
        // Items that an earlier request may have deleted although it was not answered.
        var maybeDeleted: Set<String> = []
        while !pending.isEmpty {
            let size = alone.isEmpty ? batchSize.withLock { $0 } : 1
            let batch = Array(pending.prefix(size))
            pending.removeFirst(batch.count)
            result.requests += 1
            do throws(SweepFailure) {
                let answers = try await send(batch)
                let before = result.settled
                let (again, worst) = sort(batch, answers, maybeDeleted, &alone, &result)
                if result.settled > before { budget = RetryBudget(attempts: attempts) }
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
                    result.fail(again, cloudError)
                }
            } catch {
                guard case .refused(let cloudError) = error else { throw error }
                if cloudError.code.mayHaveBeenCarriedOut { maybeDeleted.formUnion(batch) }
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
            result.note(batch, .alreadyGone)
            return []
        case .afterTheOthers:
            result.note(batch, .deferred)
            return []
        case .waitAndRepeat, .reread, .signInAgain, .stop:
            do throws(SweepFailure) {
                try await courier.waitOrGiveUp(error, &budget, at: address)
                return batch
            } catch {
                guard case .refused(let cloudError) = error, !courier.isStopped else {
                    throw .stopped
                }
                result.fail(batch, cloudError)
                return []
            }
        case .halve, .doneAlready, .report:
            result.fail(batch, error)
            return []
        }
    }

    /// Sorts the items of an answered batch.
    ///
    /// - Returns: the items to send again, and the error that asks for the longest wait; nil when
    ///   they can be sent at once.
    private func sort(
        _ batch: [String], _ answers: [String: ItemAnswer], _ maybeDeleted: Set<String>,
        _ alone: inout Set<String>, _ result: inout BatchResult
    ) -> (again: [String], worst: CloudError?) {
        var again: [String] = []
        var worst: CloudError?
        for name in batch {
            let wasAlone = batch.count == 1
            if wasAlone { alone.remove(name) }
            let error: CloudError
            switch answers[name] {
            case .deleted:
                result.note([name], .deleted)
                continue
            case .failure(let refused): error = refused
            case nil:
                error = CloudError(.unexpectedResponse, reason: "the response lacks an item")
            }
            switch ErrorPolicy.decision(for: error.code) {
            case .doneAlready:
                result.note([name], maybeDeleted.contains(name) ? .deleted : .alreadyGone)
            case .waitAndRepeat, .reread, .signInAgain, .stop:
                again.append(name)
                if worst == nil || (error.retryAfter ?? .zero) > (worst?.retryAfter ?? .zero) {
                    worst = error
                }
            case .halve where error.code == .badRequest && refusedItem == .isDeferred:
                result.deferRefused(name)
            case .halve where !wasAlone:
                again.append(name)
                alone.insert(name)
            case .afterTheOthers:
                result.note([name], .deferred)
            case .halve, .report:
                result.fail([name], error)
            }
        }
        return (again, worst)
    }
}

extension CloudError.Code {
    /// Whether a request that failed like this may have been carried out all the same.
    fileprivate var mayHaveBeenCarriedOut: Bool {
        switch self {
        case .responseLost, .unexpectedResponse, .answerTooLarge, .unknown, .internalError: true
        case .accessDenied, .atomicError, .authenticationFailed, .authenticationRequired,
            .badRequest, .conflict, .exists, .notFound, .quotaExceeded, .throttled,
            .tryAgainLater, .validatingReferenceError, .zoneNotFound, .networkFailure,
            .certificateUntrusted, .cancelled:
            false
        }
    }
}
