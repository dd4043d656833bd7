import CloudModel
public import Foundation

/// One of a container's databases. Mirrors Apple's `CKDatabase`.
///
/// Get it from a container. The `async` methods ask the server directly; the methods with
/// completion handlers add an operation, as `add(_:)` does. Every error is a ``CKError``.
public final class CKDatabase: NSObject, Sendable {
    /// Which of the databases of a container.
    public enum Scope: Int, Sendable, Hashable {
        /// What everybody who uses the app can read.
        case `public` = 1
        /// What only the user can read.
        case `private` = 2
        /// What others share with the user.
        case shared = 3

        var model: Database.Scope {
            switch self {
            case .public: .public
            case .private: .private
            case .shared: .shared
            }
        }
    }

    /// Which of the container's databases this is.
    public let databaseScope: CKDatabase.Scope
    let place: ContainerPlace

    init(_ place: ContainerPlace, _ scope: Scope) {
        self.place = place
        databaseScope = scope
    }

    /// Puts an operation on the database's queue, to work here.
    public func add(_ operation: CKDatabaseOperation) {
        operation.database = self
        CKOperation.queue.addOperation(operation)
    }

    /// Runs methods that would have settings of their own on Apple's systems.
    ///
    /// Here the settings have no effect: use an operation for work that needs them.
    public func configuredWith<Value>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) throws -> Value
    ) rethrows -> Value { try body(self) }

    /// Runs `async` methods that would have settings of their own on Apple's systems.
    ///
    /// Here the settings have no effect: use an operation for work that needs them.
    public func configuredWith<Value>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) async throws -> Value
    ) async rethrows -> Value { try await body(self) }

    /// The scope and the container.
    public override var description: String {
        "<CKDatabase: \(databaseScope) of \(place.identifier ?? "the default container")>"
    }

    // MARK: - Asking

    /// Asks the server one thing.
    func ask<Value: Sendable>(
        _ situation: CKError.Situation = .request,
        _ question: (any CloudDatabase) async throws(CloudError) -> Value
    ) async throws(CKError) -> Value {
        if Task.isCancelled {
            throw CKError(.operationCancelled, "the task was cancelled")
        }
        let database = try place.database(databaseScope)
        do throws(CloudError) {
            return try await question(database)
        } catch {
            throw CKError(error, situation, container: place.identifier)
        }
    }

    /// What one item failed with.
    func itemError(_ error: CloudError, _ situation: CKError.Situation = .item) -> CKError {
        CKError(error, situation, container: place.identifier)
    }

    /// The items of one request of the web services.
    static let itemsPerRequest = 200
    /// The items of one native operation.
    static let itemsMax = 400
    /// Pages of one listing: beyond any account's size.
    static let pagesMax = 1_000_000

    static func checkCount(_ count: Int) throws(CKError) {
        guard count <= itemsMax else {
            throw CKError(
                .limitExceeded,
                "the operation contains \(count) items, which is more than the maximum allowed "
                    + "number of items (\(itemsMax))")
        }
    }

    static func checkOnce<ID: Hashable>(_ ids: [ID], _ what: String) throws(CKError) {
        guard Set(ids).count == ids.count else {
            throw CKError(.invalidArguments, "\(what) is there twice in one operation")
        }
    }
}
