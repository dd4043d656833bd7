import AsyncOperations
import CloudModel
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

    @Test func `writes that wait together share commits`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        let before = await journal.commits
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try? await journal.write([.note(key: "\(index)", value: [])], run: run.key)
                }
            }
        }
        let commits = await journal.commits - before
        #expect(commits < 100, "\(commits) commits for 200 writes")
        #expect(try await journal.note(run: run.key, key: "199") == [])
    }
}
