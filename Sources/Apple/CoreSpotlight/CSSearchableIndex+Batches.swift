internal import DonationStore
public import Foundation

extension CSSearchableIndex {
    /// Begins to collect what is indexed and deleted by identifier, until the batch ends. The
    /// default index has no batches: there everything takes effect at once, and ending fails.
    public func beginBatch() {
        guard let name else { return }
        guard openBatch == nil else {
            if let store = currentStore { IndexState.of(store, name).warn(.batchAlreadyOpen) }
            return
        }
        openBatch = ItemBatch(indexName: name)
    }

    /// Carries out what was collected, all of it or nothing, and keeps the client state with it.
    ///
    /// - Parameter clientState: At most 250 bytes.
    public func endBatch(
        withClientState clientState: Data,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        end(expected: nil, new: clientState, completionHandler)
    }

    /// The same, waiting until it is on disk.
    public func endBatch(withClientState clientState: Data) async throws {
        try await waiting { endBatch(withClientState: clientState, completionHandler: $0) }
    }

    /// Carries out what was collected if the client state is still the expected one; else nothing
    /// is changed and the error is ``CSIndexError/mismatchedClientState``.
    ///
    /// - Parameters:
    ///   - expectedClientState: Nil when there must be none yet.
    ///   - newClientState: At most 250 bytes.
    public func endIndexBatch(
        expectedClientState: Data?, newClientState: Data,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        end(
            expected: .some(expectedClientState.map { [UInt8]($0) }), new: newClientState,
            completionHandler)
    }

    /// The same, waiting until it is on disk.
    public func endIndexBatch(
        expectedClientState: Data?, newClientState: Data
    ) async throws {
        try await waiting {
            endIndexBatch(
                expectedClientState: expectedClientState, newClientState: newClientState,
                completionHandler: $0)
        }
    }

    /// Reads the client state of the last batch; nil when there was none.
    public func fetchLastClientState(
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        guard let store = currentStore else {
            return callBack { completionHandler(nil, CSIndexError.noStore) }
        }
        store.clientState(indexName: name) { [self] result in
            callBack {
                switch result {
                case .success(let state): completionHandler(state.map { Data($0) }, nil)
                case .failure(let error): completionHandler(nil, CSIndexError(error))
                }
            }
        }
    }

    /// Reads the client state of the last batch; empty when there was none.
    public func fetchLastClientState() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            fetchLastClientState { state, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: state ?? Data())
                }
            }
        }
    }

    private func end(
        expected: [UInt8]??, new: Data, _ handler: (@Sendable ((any Error)?) -> Void)?
    ) {
        let answer = answer(to: handler)
        guard let store = currentStore else { return answer(CSIndexError.noStore) }
        guard let name else {
            return answer(
                CSIndexError(.indexingUnsupported, reason: "the default index has no batches"))
        }
        guard new.count <= DonationLimits.clientStateBytesMax else {
            // The batch stays open: the app can end it with a shorter state.
            return answer(
                CSIndexError(
                    .invalidClientStateError, reason: "a client state has at most 250 bytes"))
        }
        guard let batch = takeBatch() else {
            IndexState.of(store, name).warn(.batchNotOpen)
            return answer(CSIndexError(.indexingUnsupported, reason: "no batch was started"))
        }
        store.end(batch, clientState: [UInt8](new), expected: expected) { result in
            switch result {
            case .success: answer(nil)
            case .failure(let error): answer(CSIndexError(error))
            }
        }
    }
}
