import AsyncOperations
import DonationStore
import Donations
import Foundation
import Testing

/// Several openers, foreign files, rights, limits and closing.
struct SharingTests {
    @Test func `two openers that write at once lose nothing`() async throws {
        let folder = TemporaryFolder()
        let stores = try (0..<3).map { _ in try fileStore(folder) { $0.isDurable = false } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for round in 0..<30 {
                        _ = try await store.donate(.interaction("\(number)-\(round)", group: "g"))
                        if round % 3 == 0 {
                            try await store.delete(
                                .interactions(identifiers: ["\(number)-\(round)"]))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for store in stores { #expect(try await store.counts() == [.interaction: 60]) }
        #expect(try await stores[0].delete(.interactionGroup("g")).removedCount == 60)
        #expect(try await stores[2].counts() == [:])
    }

    @Test func `a file that is something else is refused and left as it is`() throws {
        for (name, bytes) in [
            ("text", Data("This is not a database, and long enough to be looked at.".utf8)),
            ("other", try otherDatabase()),
        ] {
            let folder = TemporaryFolder()
            try FileManager.default.createDirectory(
                atPath: folder.path, withIntermediateDirectories: true)
            let path = folder.path + "/donations.sqlite"
            try bytes.write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: DonationError.self, "\(name)") { try fileStore(folder) }
            #expect(error?.code == .foreignStore)
            #expect(FileManager.default.contents(atPath: path) == bytes)
        }
    }

    /// A SQLite database that belongs to nobody we know.
    private func otherDatabase() throws -> Data {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        _ = store
        var bytes = try #require(
            FileManager.default.contents(atPath: folder.path + "/donations.sqlite"))
        if bytes.count < 4096 {
            bytes = Data(count: 4096)
            bytes.replaceSubrange(0..<16, with: Data("SQLite format 3\0".utf8))
        }
        bytes.replaceSubrange(68..<72, with: Data([1, 2, 3, 4]))
        return bytes
    }

    @Test func `the folder and its files are for their owner alone`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        var row = Donation.interaction("a")
        row.images = [.init(parameter: "soup", bytes: [1])]
        _ = try await store.donate(row)
        func rights(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
        }
        #expect(try rights(folder.path) == 0o700)
        #expect(try rights(folder.path + "/images") == 0o700)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where name != "images" {
            #expect(try rights(folder.path + "/" + name) == 0o600, "\(name)")
        }
    }

    @Test func `a folder that cannot be made is a typed error`() throws {
        let file = TemporaryFolder()
        try Data("x".utf8).write(to: URL(fileURLWithPath: file.path))
        let error = #expect(throws: DonationError.self) { try fileStore(file) }
        #expect(error?.code == .cannotOpen)
    }

    @Test func `a closed store takes nothing, and what was asked before is on disk`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder)
        store.donate([.interaction("a")]) { _ in }
        await store.flushAndClose()
        await store.flushAndClose()
        let error = await #expect(throws: DonationError.self) {
            try await store.donate(.interaction("b"))
        }
        #expect(error?.code == .closed)
        #expect(try await fileStore(folder).contents() == ["interaction a"])
    }

    @Test func `donations that wait together share commits, alone they do not`() async throws {
        let folder = TemporaryFolder()
        let commits = Locked(0)
        let store = try fileStore(folder) { configuration in
            configuration.hook = { step in
                if step == .afterCommit { commits.withLock { $0 += 1 } }
            }
        }
        for number in 0..<500 { store.donate([.interaction("\(number)")]) { _ in } }
        try await store.flush()
        let count = commits.withLock { $0 }
        #expect(count < 250)
        #expect(try await store.counts() == [.interaction: 500])
    }

    @Test func `what exceeds a limit is refused whole`() async throws {
        let store = try memoryStore()
        let long = String(repeating: "a", count: DonationLimits.nameBytesMax + 1)
        let error = await #expect(throws: DonationError.self) {
            try await store.donate([.interaction("a"), .interaction(long)])
        }
        #expect(error?.code == .invalid)
        await #expect(throws: DonationError.self) { try await store.donate(.item("x")) }
        #expect(try await store.counts() == [:])
    }

    @Test func `a store for one task is not that of another`() async throws {
        let store = try memoryStore()
        let outer = DonationStore.current
        DonationStore.withStore(store) {
            #expect(DonationStore.current === store)
        }
        #expect(DonationStore.current === outer)
    }
}
