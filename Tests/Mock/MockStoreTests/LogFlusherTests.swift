import AsyncOperations
import Basics
import CloudModel
import Dispatch
import FileSystem
import MockStore
import Testing

/// Commits whose wait for the disk is somebody else's.
@Suite struct LogFlusherTests {
    /// A disk that tests decide about.
    private final class Disk: Sendable {
        let flushes = Locked(0)
        let fails = Locked(false)
        let gate: DispatchSemaphore?

        init(gate: DispatchSemaphore? = nil) { self.gate = gate }

        func flush() throws(FileError) {
            gate?.wait()
            flushes.withLock { $0 += 1 }
            if fails.withLock({ $0 }) {
                // What the system says of a directory, for one.
                _ = try ByteFile(reading: "/no such folder/file")
            }
        }
    }

    private func open(_ directory: Directory, _ disk: Disk) throws -> StoreCommitter {
        let kept = try StoreCommitter(
            location: .directory(directory.path),
            clock: .fixed(Timestamp(milliseconds: 1_800_000_000_000)), seed: 3
        ) { () throws(FileError) in try disk.flush() }
        let store = kept.store
        try store.addUser(MockUser("ada"))
        try kept.commit()
        return kept
    }

    private func create(_ name: String, in store: MockStore) throws {
        _ = try store.apply(
            .write(.modifyZones([.create(RecordZone.ID(name))])), at: World.address(),
            by: .user("ada"))
    }

    @Test func `a commit is over when the disk has it, and not before`() throws {
        let gate = DispatchSemaphore(value: 0)
        gate.signal()
        let disk = Disk(gate: gate)
        let kept = try open(Directory(), disk)
        let store = kept.store
        try create("Notes", in: store)
        try kept.begin()
        #expect(disk.flushes.withLock { $0 } == 1, "the gate is closed")
        gate.signal()
        try kept.finish()
        #expect(disk.flushes.withLock { $0 } == 2)
    }

    @Test func `a turn without writes does not ask the disk`() throws {
        let disk = Disk()
        let kept = try open(Directory(), disk)
        let store = kept.store
        _ = try store.apply(.read(.listZones(token: nil)), at: World.address(), by: .user("ada"))
        try kept.commit()
        #expect(disk.flushes.withLock { $0 } == 1)
    }

    @Test func `a disk that once refused is not believed again`() throws {
        let disk = Disk()
        let kept = try open(Directory(), disk)
        let store = kept.store
        disk.fails.withLock { $0 = true }
        try create("Notes", in: store)
        try kept.begin()
        let error = try #require(throws: MockStoreError.self) { try kept.finish() }
        #expect(error.description.contains("No such file"))
        disk.fails.withLock { $0 = false }
        #expect(throws: CloudError.self) { try create("More", in: store) }
        #expect(throws: MockStoreError.self) { try kept.begin() }
        _ = try store.apply(.read(.listZones(token: nil)), at: World.address(), by: .user("ada"))
        #expect(throws: MockStoreError.self, "not even what is read") { try kept.begin() }
    }

    @Test func `a wait that nobody ended is ended with the flusher`() {
        let disk = Disk()
        do {
            let flusher = LogFlusher { () throws(FileError) in try disk.flush() }
            flusher.begin()
            flusher.begin()
        }
        #expect(disk.flushes.withLock { $0 } == 2)
    }
}
