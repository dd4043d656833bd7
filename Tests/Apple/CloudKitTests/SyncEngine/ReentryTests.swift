import AsyncOperations
import CloudKit
import Testing

/// A delegate that calls its engine while the engine waits for the delegate.
@Suite(.timeLimit(.minutes(10)))
struct ReentryTests {
    private let world: World
    private let app = SyncedApp()
    private let engine: CKSyncEngine

    init() throws {
        world = try World()
        engine = app.engine(world.ours, clock: world.clock)
    }

    /// The delegate's methods, and events of both kinds of run.
    private static let calls = [
        "accountChange", "willFetchChanges", "nextFetchChangesOptions", "stateUpdate",
        "didFetchChanges", "willSendChanges", "nextRecordZoneChangeBatch", "didSendChanges",
    ]

    @Test(arguments: calls, [true, false])
    func `to await the engine in its own delegate is an error, and the run continues`(
        call: String, fetches: Bool
    ) async throws {
        try await world.ours.save(world.note("a", try await world.zone("Notes")))
        let errors = Locked<[CKError?]>([])
        app.known.withLock { known in
            known.onCall = { word, engine in
                guard word == call else { return }
                let direct = await failure { try await Self.sync(engine, fetches) }
                // Nor would a task of the delegate's that it waits for return.
                async let child = failure { try await Self.sync(engine, fetches) }
                let found = [direct, await child]
                errors.withLock { $0 += found }
            }
        }
        try await engine.fetchChanges()
        try await engine.sendChanges()
        let found = errors.withLock { $0 }
        #expect(found.count >= 2)
        #expect(found.allSatisfy { $0?.code == .invalidArguments })
        #expect(found.first??.localizedDescription.contains("Task.detached") == true)
    }

    private static func sync(_ engine: CKSyncEngine, _ fetches: Bool) async throws {
        if fetches { try await engine.fetchChanges() } else { try await engine.sendChanges() }
    }

    @Test func `a detached task may call the engine, and another engine may be awaited`()
        async throws
    {
        let other = SyncedApp()
        let second = other.engine(world.ours, clock: world.clock)
        let detached = Locked<Task<Void, any Error>?>(nil)
        app.known.withLock { known in
            known.onCall = { word, engine in
                guard word == "willFetchChanges", detached.withLock({ $0 == nil }) else { return }
                let task = Task.detached { try await engine.sendChanges() }
                detached.withLock { $0 = task }
                let error = await failure { try await second.fetchChanges() }
                #expect(error == nil)
            }
        }
        try await engine.fetchChanges()
        try await detached.withLock { $0 }?.value
        #expect(app.known.withLock { $0.words.contains("didSendChanges") })
        #expect(other.known.withLock { $0.words.contains("didFetchChanges") })
    }

    @Test func `an engine that a delegate sets to work is not part of that delegate's call`()
        async throws
    {
        let other = SyncedApp()
        let second = other.engine(world.ours, clock: world.clock)
        let first = engine
        let error = Locked<CKError?>(nil)
        other.known.withLock { known in
            known.onCall = { word, _ in
                guard word == "stateUpdate" else { return }
                let found = await failure { try await first.sendChanges() }
                error.withLock { $0 = found }
            }
        }
        app.known.withLock { known in
            known.onCall = { word, _ in
                guard word == "didFetchChanges" else { return }
                // Its first work: the second engine begins to run here.
                second.state.add(
                    pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneName: "Trips"))])
            }
        }
        try await engine.fetchChanges()
        await other.wait(for: "stateUpdate")
        #expect(error.withLock { $0 } == nil)
    }
}
