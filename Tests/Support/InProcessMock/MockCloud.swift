private import AsyncOperations
package import Basics
package import CloudModel
import MockFaults
package import MockStore

/// The mock service in process: the same store and pages as behind the server, with a lock around
/// them.
package final class MockCloud: Sendable {
    private struct State {
        let committer: StoreCommitter
        var pages = PageDelivery()
    }
    private let state: Locked<State>

    /// Starts a service that keeps everything in memory.
    ///
    /// - Parameter users: The accounts that exist from the start.
    package convenience init(
        options: MockOptions = MockOptions(), clock: WallClock, seed: UInt64 = 1,
        users: [String] = []
    ) throws(MockStoreError) {
        try self.init(location: .memory, options: options, clock: clock, seed: seed, users: users)
    }

    /// Starts a service over a store.
    package init(
        location: MockStore.Location, options: MockOptions = MockOptions(), clock: WallClock,
        seed: UInt64 = 1, users: [String] = []
    ) throws(MockStoreError) {
        let made = try StoreCommitter(
            location: location, options: options, clock: clock, seed: seed)
        for name in users { try made.store.addUser(MockUser(name)) }
        try made.commit()
        state = Locked(State(committer: made))
    }

    /// Runs `body` with the store to itself, then commits.
    package func withStore<Result: Sendable>(
        _ body: (MockStore) throws -> Result
    ) throws -> Result {
        try withPages { store, _ in try body(store) }
    }

    private func withPages<Result: Sendable>(
        _ body: (MockStore, inout PageDelivery) throws -> Result
    ) throws -> Result {
        try state.withLock { (state) throws -> Result in
            let result = try body(state.committer.store, &state.pages)
            try state.committer.commit()
            return result
        }
    }

    /// Does what an event says.
    @discardableResult
    package func simulate(_ event: SimulatedEvent) throws -> SimulatedEvent.Report {
        try withPages { store, pages in
            let report = try store.simulate(event)
            if event.kind == .restore { pages.forget() }
            return report
        }
    }

    /// Empties the service, or a part of it.
    package func reset(_ scope: ResetScope = ResetScope()) throws {
        try withPages { store, pages in
            try store.reset(scope)
            pages.forget(scope)
        }
    }

    /// Carries out one command, lasting when this returns.
    package func perform(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> CloudReply {
        try CommandShape.check(command)
        return try state.withLock { (state) throws(CloudError) -> CloudReply in
            let reply = Swift.Result { () throws(CloudError) in
                try state.pages.answer(
                    command, at: address, by: caller, from: state.committer.store)
            }
            do {
                try state.committer.commit()
            } catch {
                throw CloudError(.internalError, reason: "the change could not be stored")
            }
            return try reply.get()
        }
    }

    /// A database as `caller` sees it, called directly.
    package func database(at address: Database.Address, by caller: Caller) -> MockDatabase {
        MockDatabase(cloud: self, address: address, caller: caller)
    }

    /// A database as a signed-in user sees it, called directly.
    package func database(
        at address: Database.Address, user: String, device: String? = nil
    ) -> MockDatabase {
        database(at: address, by: .user(user, device: device))
    }

    /// Keeps what every database holds now under a name of its own, which it gives.
    package func snapshot() throws -> String {
        try withStore { store in
            let name = "snapshot-\(UInt64.random(in: 0 ... .max))"
            store.options.snapshotsMax = .max
            try store.keepSnapshot(name)
            return name
        }
    }

    /// Everything in the store, as a snapshot file.
    package func snapshotFile() throws -> SnapshotBytes {
        try withStore { store in
            let image = try StoreCopy(forFileOf: store).finish()
            return try SnapshotBytes(of: SnapshotWriter(image, settings: "{}").finish())
        }
    }

    /// Replaces everything in the store by a snapshot file.
    package func restore(_ file: SnapshotBytes) throws {
        try withPages { store, pages in
            try file.inFile { path in
                try RestoreJob(try store.reader(ofFile: path)).finish(store)
            }
            pages.forget()
        }
    }

    /// Puts back what a snapshot holds.
    package func restore(_ snapshot: String) throws {
        var event = SimulatedEvent(.restore)
        event.name = snapshot
        try simulate(event)
    }
}

/// One database of the mock service in process, as one caller sees it.
package struct MockDatabase: CloudDatabase {
    private let cloud: MockCloud
    package let address: Database.Address
    package let caller: Caller

    init(cloud: MockCloud, address: Database.Address, caller: Caller) {
        self.cloud = cloud
        self.address = address
        self.caller = caller
    }

    /// Carries out a command.
    package func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        try run(command)
    }

    /// Carries out a command, without waiting for anything.
    package func run(_ command: CloudCommand) throws(CloudError) -> CloudReply {
        try cloud.perform(command, at: address, by: caller)
    }
}
