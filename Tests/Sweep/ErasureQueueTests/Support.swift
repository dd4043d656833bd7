import ErasureQueue
import PostgreSQL
import PostgreSQLCluster
import Testing

/// What needs a server says so, in words, where there is none.
let needsServer = ConditionTrait.enabled(
    if: Cluster.obstacle == nil, Comment(rawValue: Cluster.obstacle ?? ""))

/// A queue of a test's own, and a way around it.
struct World {
    static let seal = QueueSeal(key: [UInt8](repeating: 42, count: QueueSeal.keyByteCount))

    let settings: ConnectionSettings
    let queue: ErasureQueue
    let admin: Connection

    init(_ rules: QueueRules = QueueRules()) async throws {
        // The database has a clock of its own: only ``pause(_:)`` may let a lease run out, no busy machine.
        var rules = rules
        rules.lease = .seconds(1_800)
        settings = try await SharedCluster.database()
        queue = ErasureQueue(Connection(settings), seal: Self.seal, rules: rules)
        admin = Connection(settings)
        try await queue.migrate()
    }

    func close() async {
        await queue.close()
        await admin.close()
    }

    /// Lets a worker's lease run out: for it alone an hour passes.
    func pause(_ worker: UInt8) async throws {
        _ = try await admin.run(
            "UPDATE workers SET seen = seen - interval '1 hour' WHERE id = $1",
            .bytes(World.bytes(worker)))
    }

    @discardableResult
    func add(_ person: String, _ order: String = "all", due: Int64 = 0) async throws -> Int64 {
        try await queue.add(person: person, order: Array(order.utf8), received: 0, due: due).id
    }

    func state(_ id: Int64) async throws -> RequestState? {
        try await queue.requests(after: id - 1, limit: 1).first?.state
    }

    static func bytes(_ worker: UInt8) -> [UInt8] { [UInt8](repeating: worker, count: 16) }
    static func worker(_ number: UInt8) -> WorkerID { WorkerID(bytes(number)) }
}

/// Why the queue refuses; nil when it does not.
func failure(_ body: () async throws -> Void) async -> QueueError.Code? {
    do {
        try await body()
    } catch {
        return (error as? QueueError)?.code
    }
    return nil
}
