internal import Dispatch
internal import DonationStore
internal import Foundation

/// How Apple's calls reach the store and bring back its answer.
enum StoreCall {
    typealias Completion = @Sendable ((any Error)?) -> Void

    /// Completion handlers run here, in order, so that none can hold up the store or its caller.
    private static let callbacks = DispatchQueue(label: "Intents.completions")

    /// Runs something on the queue of handlers.
    static func callBack(_ body: @escaping @Sendable () -> Void) { callbacks.async(execute: body) }

    /// The store that calls act on.
    ///
    /// - Throws: `INIntentError.interactionOperationNotSupported` when the app named none.
    static func store() throws -> DonationStore {
        guard let store = DonationStore.current else {
            throw INIntentError(
                .interactionOperationNotSupported,
                userInfo: [
                    NSUnderlyingErrorKey: DonationError(
                        .noStore, "no store: call DonationStore.bootstrap")
                ])
        }
        return store
    }

    /// Runs `body` with the store; `completion` hears its failure under `code`.
    static func run<Result: Sendable>(
        _ code: INIntentError.Code, completion: Completion?,
        _ body: (
            DonationStore, @escaping @Sendable (Swift.Result<Result, DonationError>) -> Void
        ) throws -> Void
    ) {
        do {
            let store = try store()
            try body(store) { result in
                guard let completion else { return }
                var failed: (any Error)?
                if case .failure(let error) = result { failed = failure(code, error) }
                let error = failed
                // Calls inside the completion mean the same store.
                callBack { DonationStore.withStore(store) { completion(error) } }
            }
        } catch {
            guard let completion else { return }
            let error = error as? INIntentError ?? failure(code, error)
            callBack { completion(error) }
        }
    }

    /// Waits for a call that has a completion handler; it is in the store's queue before the
    /// caller's task is suspended, so calls keep their order.
    static func wait(_ call: (@escaping Completion) -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            call { error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
    }

    /// The error of a call, with its cause.
    static func failure(_ code: INIntentError.Code, _ cause: any Error) -> INIntentError {
        INIntentError(code, userInfo: [NSUnderlyingErrorKey: cause])
    }
}
