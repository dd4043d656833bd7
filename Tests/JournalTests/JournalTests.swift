import AsyncOperations
import CloudModel
import Foundation
import Journal
import OpenSSL
import Testing

struct JournalTests {
    struct Cut: Error {}

    @Test func `what was written is there after opening again`() async throws {
        let folder = Folder()
        let run = try await folder.journal().begin(try start("one"), [.stage(.planned)])
        #expect(run.stage == .planned)
        let again = folder.journal()
        let runs = try await again.runs(limit: 10)
        #expect(runs.map(\.id) == ["one"])
        #expect(runs.first?.containers.map(\.rawValue) == ["iCloud.com.example.app"])
    }

    @Test func `the journal and its folder are readable by their owner only`() async throws {
        let folder = Folder()
        _ = try await folder.journal().begin(try start("one"), [])
        for (path, mode) in [(folder.path, 0o700), (folder.file, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `changes given together are all written or none`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [.planLines([planLine(0)])])
        await #expect(throws: JournalError.self) {
            try await journal.write(
                [.note(key: "a", value: [1]), .step(number: 9, to: .intended, StepOutcome())],
                run: run.key)
        }
        #expect(try await folder.journal().note(run: run.key, key: "a") == nil)
    }

    @Test func `after a failed write nothing more is written`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [.planLines([planLine(0)])])
        await #expect(throws: JournalError.self) {
            try await journal.write(
                [.step(number: 0, to: .verified, StepOutcome())], run: run.key)
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

    @Test(arguments: StepState.allCases)
    func `a step moves only where its state allows`(to state: StepState) async throws {
        for from in StepState.allCases {
            let folder = Folder()
            let journal = folder.journal()
            let run = try await journal.begin(try start("one"), [.planLines([planLine(0)])])
            for step in try path(to: from) {
                try await journal.write(
                    [.step(number: 0, to: step, StepOutcome())], run: run.key)
            }
            let isLegal = from.next.contains(state)
            do {
                try await journal.write(
                    [.step(number: 0, to: state, StepOutcome())], run: run.key)
                #expect(isLegal, "\(from) became \(state)")
            } catch {
                #expect(!isLegal, "\(from) could not become \(state)")
                #expect(error.code == .illegalMove)
            }
        }
    }

    private func path(to state: StepState) throws -> [StepState] {
        switch state {
        case .planned: []
        case .intended: [.intended]
        case .acknowledged: [.intended, .acknowledged]
        case .partlyFailed: [.intended, .partlyFailed]
        case .failed: [.intended, .failed]
        case .verified: [.intended, .acknowledged, .verified]
        }
    }

    @Test func `seen rows are a set, sorted, and read a page at a time`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        let rows = (0..<25).map { SeenRow(container: 0, scope: 0, kind: 2, zone: "zone \($0)") }
        try await journal.write(
            [.seen(pass: 1, rows), .seen(pass: 1, rows.reversed())], run: run.key)
        var read: [SeenRow] = []
        while true {
            let page = try await journal.seen(
                run: run.key, pass: 1, after: read.last, limit: 10)
            if page.isEmpty { break }
            read += page
        }
        #expect(read == rows.sorted { $0.zone < $1.zone })
    }

    @Test func `what is there now and was not planned is counted`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        let row = { (kind: Int, zone: String, name: String) in
            SeenRow(container: 0, scope: 0, kind: kind, zone: zone, name: name)
        }
        try await journal.write(
            [
                .seen(pass: 0, [row(2, "gone", ""), row(2, "same", ""), row(0, "", "sub")]),
                .seen(
                    pass: 1,
                    [
                        row(2, "same", ""), row(2, "new", ""), row(0, "zone", "sub"),
                        row(0, "", "other"), row(6, "shared", ""),
                    ]),
            ], run: run.key)
        let count = try await journal.unplanned(
            run: run.key, fresh: 1, planned: 0, byNameOnly: 0, notPlannable: 6)
        #expect(count == 2)
    }

    @Test func `a secret is made once`() async throws {
        let folder = Folder()
        let first = try await folder.journal().secret("key") { [1, 2, 3] }
        let second = try await folder.journal().secret("key") { [4, 5, 6] }
        #expect(first == [1, 2, 3])
        #expect(second == first)
    }

    @Test func `a plan can be used by one run only`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(
            try start("one"), [.usePlan(digest: "d", at: Timestamp(milliseconds: 1))])
        #expect(try await journal.run(usingPlan: "d")?.key == run.key)
        #expect(try await journal.run(usingPlan: "e") == nil)
        await #expect(throws: JournalError.self) {
            _ = try await journal.begin(
                try start("two"), [.usePlan(digest: "d", at: Timestamp(milliseconds: 1))])
        }
    }
}
