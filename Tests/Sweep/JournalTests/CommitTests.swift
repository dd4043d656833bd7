import AsyncOperations
import CSyncCounter
import Foundation
import Journal
import Testing

/// What a SQLite journal does around its commits.
struct CommitTests {
    struct Cut: Error {}

    @Test func `the journal and its folder are readable by their owner only`() async throws {
        let folder = Folder()
        _ = try await folder.journal().begin(try start("one"), [])
        for (path, mode) in [(folder.path, 0o700), (folder.file, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `after a failed write nothing more is written`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [.planLines([planLine(0)])])
        await #expect(throws: JournalError.self) {
            try await journal.write(
                [.step(number: 0, to: .verified, outcome(for: .verified))], run: run.key)
        }
        let error = await #expect(throws: JournalError.self) {
            try await journal.write([.stage(.deleting)], run: run.key)
        }
        #expect(error?.code == .illegalMove)
        #expect(try await folder.journal().run(id: "one").stage == .looking)
    }

    /// S6: an outcome that was told is on disk; one that was not told may be missing.
    @Test(arguments: [true, false])
    func `S6 a cut at a commit loses only what nobody was told of`(before: Bool) async throws {
        let folder = Folder()
        let cutNow = Locked(false)
        let journal = folder.journal(hook: { isBefore in
            if isBefore == before && cutNow.withLock({ $0 }) { throw Cut() }
        })
        let run = try await journal.begin(try start("one"), [])
        try await journal.write([.note(key: "told", value: [1])], run: run.key)
        cutNow.withLock { $0 = true }
        await #expect(throws: JournalError.self) {
            try await journal.write([.note(key: "untold", value: [1])], run: run.key)
        }
        let reopened = folder.journal()
        #expect(try await reopened.note(run: run.key, key: "told") == [1])
        let untold = try await reopened.note(run: run.key, key: "untold")
        #expect(untold == (before ? nil : [1]))
    }

    @Test func `what is noted waits for no disk, and all of it for the disk once`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        let watch = csynccounter_watch(folder.path)
        defer { csynccounter_end(watch) }
        for index in 0..<200 {
            try await journal.note([.note(key: "\(index)", value: [])], run: run.key)
        }
        #expect(csynccounter_count(watch) == 0)
        #expect(try await folder.journal().note(run: run.key, key: "199") == [])
        try await journal.flush()
        #expect(csynccounter_count(watch) == 1)
        try await journal.flush()
        #expect(csynccounter_count(watch) == 1)
    }

    /// A power cut after it must not undo it, whatever the operating system still holds back.
    @Test func `S6 a write is on the disk before it is acknowledged`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        let watch = csynccounter_watch(folder.path)
        defer { csynccounter_end(watch) }
        for number in 1...20 {
            try await journal.write([.note(key: "\(number)", value: [])], run: run.key)
            #expect(csynccounter_count(watch) >= Int32(number))
        }
    }

    @Test func `writes at the same time are all there`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try await journal.write([.note(key: "\(index)", value: [])], run: run.key)
                }
            }
            try await group.waitForAll()
        }
        for index in 0..<200 {
            #expect(try await folder.journal().note(run: run.key, key: "\(index)") == [])
        }
    }

    @Test func `a closed journal writes nothing, and its locks are free`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(
            try start("one"), [.lock(keys: ["a"], holder("one", pid: 1))])
        await journal.close()
        let error = await #expect(throws: JournalError.self) {
            try await journal.write([.note(key: "late", value: [])], run: run.key)
        }
        #expect(error?.code == .broken)
        let later = folder.journal(isAlive: { _ in false })
        _ = try await later.begin(try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
        #expect(try await later.note(run: run.key, key: "late") == nil)
    }
}
