import Foundation

/// An operation that asks a database one thing, for the methods with completion handlers.
// Unchecked, as its superclass: everything is set in `init`.
final class ClosureOperation<Value: Sendable>: CKDatabaseOperation, @unchecked Sendable {
    private let work: @Sendable (CKDatabase) async throws -> Value
    private let done: @Sendable (Result<Value, any Error>) -> Void

    init(
        _ work: @escaping @Sendable (CKDatabase) async throws -> Value,
        _ done: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.work = work
        self.done = done
    }

    override func run() async {
        do {
            done(.success(try await work(target())))
        } catch let error as CKError {
            done(.failure(reported(error)))
        } catch {
            done(.failure(error))
        }
    }
}
