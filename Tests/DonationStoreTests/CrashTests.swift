import AsyncOperations
import CloudModel
import DonationStore
import Donations
import Foundation
import Testing

/// Ends the store's life at every step that reaches the disk, and tears the last write.
struct CrashTests {
    /// One call of the script.
    enum Call: Sendable {
        case donate(Int)
        case delete(Int)
        case index(Int)
        case activity(Int)
        case wipe
    }

    /// 200 calls: donations with and without images, items, activities, deletions.
    static let script: [Call] = {
        var generator = SeededGenerator(seed: 5)
        return (0..<200).map { number in
            let name = Int(generator.next() % 12)
            return switch generator.next() % 10 {
            case 0..<4: .donate(name)
            case 4..<6: .delete(name)
            case 6: .index(name)
            case 7, 8: .activity(name)
            default: number % 40 == 39 ? .wipe : .donate(name)
            }
        }
    }()

    static func carryOut(_ call: Call, on store: DonationStore, number: Int) async throws {
        switch call {
        case .donate(let name):
            var row = Donation.interaction("i\(name)", group: "g\(name % 3)")
            row.actionID = "\(number)"
            if name % 2 == 0 {
                row.images = [
                    .init(parameter: "soup", bytes: Array("image \(number)".utf8)),
                    .init(parameter: "bowl", bytes: [1, 2, 3]),
                ]
            }
            _ = try await store.donate(row)
        case .delete(let name):
            try await store.delete(
                name < 6
                    ? .interactions(identifiers: ["i\(name)"]) : .interactionGroup("g\(name % 3)"))
        case .index(let name): try await store.index(.item("x\(name % 4)", title: "t\(number)"))
        case .activity(let name):
            _ = try await store.donateActivity(.activity("p\(name)", related: "x\(name % 4)"))
        case .wipe: try await store.delete(.everything)
        }
    }

    /// What a store holds, in words, with what its images say.
    static func state(_ store: DonationStore) async throws -> [String] {
        var words: [String] = []
        for row in try await store.list(.everything, limit: 10_000) {
            var word = "\(row.kind) \(row.row) \(row.identifier) \(row.actionID ?? "")"
            word += " \(row.title ?? "") \(row.persistentIdentifier ?? "")"
            for image in row.images {
                let bytes = try #require(try await store.image(image.file ?? ""))
                word += " " + String(decoding: bytes, as: UTF8.self)
            }
            words.append(word)
        }
        return words
    }

    /// The rows without their images, whose files a torn log says nothing of.
    static func names(_ store: DonationStore) async throws -> [String] {
        try await store.list(.everything, limit: 10_000).map {
            "\($0.kind) \($0.row) \($0.identifier) \($0.actionID ?? "")"
        }
    }

    /// No file without a row, no row without a file.
    static func expectNoOrphan(_ store: DonationStore, _ folder: TemporaryFolder) async throws {
        let named = try await store.list(.interaction).flatMap { $0.images.compactMap(\.file) }
        #expect(folder.images == named.sorted())
    }

    @Test func `killed at any step, the store has what was complete and no image file too many`()
        async throws
    {
        let folder = TemporaryFolder()
        // What the files are like at each step, and how many calls had completed by then.
        let completed = Locked(0)
        let copies = Locked<[(after: Int, folder: TemporaryFolder)]>([])
        let store = try fileStore(folder) { configuration in
            configuration.isDurable = false
            configuration.hook = { _ in
                let copy = try folder.copy()
                let count = completed.withLock { $0 }
                copies.withLock { $0.append((count, copy)) }
            }
        }
        var states: [[String]] = [[]]
        for (number, call) in Self.script.enumerated() {
            try await Self.carryOut(call, on: store, number: number)
            states.append(try await Self.state(store))
            completed.withLock { $0 += 1 }
        }
        await store.flushAndClose()
        #expect(copies.withLock { $0.count } > 2 * Self.script.count)
        while let (after, copy) = copies.withLock({ $0.popLast() }) {
            let reopened = try fileStore(copy) { $0.isDurable = false }
            let found = try await Self.state(reopened)
            // The call that was under way is there wholly or not at all.
            #expect(found == states[after] || found == states[after + 1])
            try await Self.expectNoOrphan(reopened, copy)
        }
    }

    @Test func `a torn write costs the torn commit only`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { $0.isDurable = false }
        var names: [[String]] = [[]]
        var sizes = [0]
        func logSize() -> Int {
            let path = folder.path + "/donations.sqlite-wal"
            return (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int ?? 0
        }
        sizes[0] = logSize()
        for (number, call) in Self.script.prefix(20).enumerated() {
            try await Self.carryOut(call, on: store, number: number)
            names.append(try await Self.names(store))
            sizes.append(logSize())
        }
        // The log was not begun anew, or a shorter one would say nothing of earlier commits.
        try #require(sizes == sizes.sorted())
        let frame = 24 + 4096
        var ends = Set<Int>()
        for start in stride(from: sizes[0], through: sizes[sizes.count - 1], by: frame) {
            ends.formUnion([start, start + 1, start + 24, start + 24 + 2000])
        }
        for end in ends.sorted() where end <= sizes[sizes.count - 1] {
            let copy = try folder.copy()
            let log = try #require(
                FileHandle(forWritingAtPath: copy.path + "/donations.sqlite-wal"))
            try log.truncate(atOffset: UInt64(end))
            try log.close()
            let reopened = try fileStore(copy) { $0.isDurable = false }
            // Everything whose commit is wholly in the log, nothing of what is not.
            let whole = try #require(sizes.lastIndex { $0 <= end })
            #expect(try await Self.names(reopened) == names[whole], "cut at \(end)")
        }
    }

    @Test func `a store that was cut off takes nothing more and says so`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { configuration in
            configuration.isDurable = false
            configuration.hook = { step in
                if step == .beforeCommit { throw CancellationError() }
            }
        }
        for _ in 0..<2 {
            let error = await #expect(throws: DonationError.self) {
                try await store.donate(.interaction("a"))
            }
            #expect(error?.code == .broken)
        }
        #expect(try await fileStore(folder.copy()).counts() == [:])
    }
}
