import CloudClient
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
    /// What operations of the methods with completion handlers are given.
    let configuration: CKOperation.Configuration?
    let group: CKOperationGroup?
    /// What requests keep to.
    let settings: OperationSettings

    init(_ place: ContainerPlace, _ scope: Scope) {
        self.place = place
        databaseScope = scope
        (configuration, group) = (nil, nil)
        settings = OperationSettings(own: nil, group: nil)
    }

    /// The same database with settings for what is asked of it.
    private init(
        _ base: CKDatabase, _ configuration: CKOperation.Configuration?, _ group: CKOperationGroup?
    ) {
        place = base.place
        databaseScope = base.databaseScope
        self.configuration = configuration
        self.group = group
        settings = OperationSettings(own: configuration, group: group?.defaultConfiguration)
    }

    /// The same database for one operation, which watches over its own time as a whole.
    init(_ base: CKDatabase, _ settings: OperationSettings) {
        place = base.place
        databaseScope = base.databaseScope
        (configuration, group) = (nil, nil)
        self.settings = OperationSettings(requestOf: settings)
    }

    /// Puts an operation on the database's queue, to work here.
    public func add(_ operation: CKDatabaseOperation) {
        // Settings for methods are not those of operations.
        let isPlain = configuration == nil && group == nil
        operation.database = isPlain ? self : CKDatabase(place, databaseScope)
        CKOperation.queue.addOperation(operation)
    }

    /// Runs methods with settings of their own: time limits and, for those with completion
    /// handlers, quality of service and group.
    ///
    /// Operations that the app makes itself have their own settings.
    public func configuredWith<Value>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) throws -> Value
    ) rethrows -> Value { try body(CKDatabase(self, configuration, group)) }

    /// Runs `async` methods with settings of their own: their time limits count, each for one
    /// request.
    public func configuredWith<Value>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) async throws -> Value
    ) async rethrows -> Value { try await body(CKDatabase(self, configuration, group)) }

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
        if settings.isLongLived { throw .longLived }
        var database = try place.database(databaseScope)
        if let limit = settings.timeout {
            database = TimedDatabase(database, limit: limit, clock: ContinuousClock())
        }
        do throws(CloudError) {
            let answer = try await question(database)
            // Anybody may read the public database.
            if databaseScope != .public, let name = place.identifier {
                place.accounts.noteUser(in: name)
            }
            return answer
        } catch {
            // A credential that is refused does not say that the user has signed out.
            if error.code == .authenticationRequired, databaseScope != .public,
                let name = place.identifier
            {
                place.accounts.noteNobody(in: name)
            }
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
                "the operation contains \(count) items; the maximum is \(itemsMax)")
        }
    }

    static func checkOnce<ID: Hashable>(_ ids: [ID], _ what: String) throws(CKError) {
        guard Set(ids).count == ids.count else {
            throw CKError(.invalidArguments, "\(what) is repeated in one operation")
        }
    }
}
