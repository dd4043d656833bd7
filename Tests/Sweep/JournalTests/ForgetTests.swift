import AsyncOperations
import Basics
import CloudModel
import Foundation
import Journal
import SQLite
import Testing

/// S17: after forgetting, no name is in any byte of the folder.
@Suite(.timeLimit(.minutes(30)))
struct ForgetTests {
    struct Cut: Error {}

    /// What a run knows of a person.
    static let names = [
        "Diary of Ada", "ada-record-7731", "subscription-of-ada", "_friend4711",
        "reply-of-charles", "only in a plan", "only in a failure", "only in a note",
        "only in a report", "only in a header", "a zone shared with Ada",
    ]

    /// A run that has seen, planned, failed at and reported all of it.
    private func fill(
        _ journal: any Journal, _ id: String = "one", ended: Int64? = 50, began: Int64 = 1,
        stage: RunRow.Stage = .ended, usesPlan: Bool = true
    ) async throws -> Int64 {
        let shared = RecordZone.ID("a zone shared with Ada", ownerRecordName: "_friend4711")
        let many = (0..<3000).map {
            row(.record, zone: "_defaultZone", type: "Note", name: "ada-record-7731 \($0)")
        }
        let line = PlanLineRow(
            number: 0, line: Array("{\"zone\":\"only in a plan\"}".utf8),
            step: PlanLineRow.Step(container: 0, scope: .private, kind: .zone, items: 1))
        let run = try await journal.begin(
            try start(id, began: began),
            [
                .subjects(["pseudonym"]), .event([1]),
                .seen(
                    .planned,
                    [
                        row(.zone, zone: "Diary of Ada"),
                        row(.subscription, name: "subscription-of-ada"),
                        row(.sharedZone, zone: shared.zoneName, name: "_friend4711"),
                    ] + many), .seen(.fresh, many),
                .links(
                    .planned,
                    [
                        LinkRow(
                            container: 0, scope: .private, zone: "_defaultZone",
                            name: "reply-of-charles", type: "Reply", isOthers: true,
                            target: "ada-record-7731 1")
                    ]),
                .planLines([line]),
                .plan(
                    digest: "digest \(id)", header: Array("only in a header".utf8), footer: [2]),
                .failures([
                    FailureRow(
                        container: 0, scope: .private, kind: "zones", name: "Diary of Ada",
                        code: "C", reason: "only in a failure")
                ]), .note(key: "donations", value: Array("only in a note".utf8)),
            ]
        ).key
        if usesPlan {
            try await journal.write(
                [.usePlan(digest: "digest \(id)", at: Timestamp(milliseconds: 2))], run: run)
        }
        try await journal.write(
            [
                .fences(try address(), zones: [RecordZone.ID("Diary of Ada")]),
                .fences(try address(.shared), zones: [shared]),
                .step(number: 0, to: .intended, StepOutcome(pending: 1)),
                .step(number: 0, to: .acknowledged, StepOutcome(items: [.deleted])),
                .types(try containerID(), .development, ["Note"]), .event([2]), .stage(stage),
            ], run: run)
        if let ended {
            try await journal.write(
                [
                    .ended(
                        Timestamp(milliseconds: ended), status: 0,
                        report: Array("only in a report".utf8))
                ], run: run)
        }
        return run
    }

    /// Which names are in which files of a folder.
    private func found(in folder: Folder, _ names: [String] = names) throws -> [String] {
        var found: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))
            for name in names where bytes.range(of: Data(name.utf8)) != nil {
                found.append("\(path): \(name)")
            }
        }
        return found
    }

    @Test func `S17 after forgetting no byte of the folder holds a name`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await fill(journal)
        let before = try found(in: folder)
        for name in Self.names {
            #expect(before.contains { $0.hasSuffix(name) }, "\(name) was never written")
        }
        try await journal.forget(run: run, report: [9])
        #expect(try found(in: folder) == [])
        await journal.close()
        #expect(try found(in: folder) == [])
    }

    @Test(arguments: JournalKind.all)
    func `S17 what does not name anybody stays`(kind: JournalKind) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await fill(journal)
        try await journal.forget(run: run, report: [9])
        let row = try await journal.run(id: "one")
        #expect(row.isForgotten && row.status == 0 && row.subjects.isEmpty)
        #expect(row.planDigest == "digest one" && row.planHeader == nil && row.planFooter == nil)
        #expect(try await journal.report(run: run) == [9])
        #expect(try await journal.verifyChain(run: run).count == 2)
        #expect(try await journal.stepSums(run: run).map(\.items.deleted) == [1])
        #expect(try await journal.approval(run: run)?.digest == "digest one")
        #expect(try await journal.types(of: try containerID(), .development) == ["Note"])
        #expect(try await journal.runs(limit: 9).map(\.id) == ["one"])
        // Once more, without a report.
        try await journal.forget(run: run, report: nil)
        #expect(try await journal.report(run: run) == nil)
    }

    @Test(arguments: JournalKind.all)
    func `S14 fences stand when their names are forgotten`(kind: JournalKind) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let other = try await journal.begin(try start("other"), []).key
        try await journal.write(
            [.fences(try address(), zones: [RecordZone.ID("Other")])], run: other)
        let run = try await fill(journal)
        let place = try address()
        let mark = try await journal.fenceMark()
        try await journal.forget(run: run, report: nil)
        let fences = try await kind.open(folder).fences(limit: 9)
        #expect(fences.map(\.zone) == [nil, RecordZone.ID("Other"), nil])
        #expect(fences.map(\.run) == ["one", "other", "one"])
        let zones = [RecordZone.ID("Elsewhere"), RecordZone.ID("Diary of Ada")]
        let around = try await kind.open(folder).fences(around: zones, at: place)
        #expect(around.map(\.zone) == [zones[1]] && around.map(\.run) == ["one"])
        #expect(around.map(\.user) == ["pseudonym"])
        let shared = RecordZone.ID("a zone shared with Ada", ownerRecordName: "_friend4711")
        #expect(try await journal.isFenced(shared, at: try address(.shared)))
        #expect(try await journal.fenceMark() == mark)
        #expect(try await journal.unfence(zones[1], at: place))
        #expect(try await !journal.isFenced(zones[1], at: place))
    }

    @Test func `S17 other runs keep what they know`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let (one, two) = (try await fill(journal), try await fill(journal, "two"))
        try await journal.forget(run: one, report: nil)
        #expect(
            try await journal.seenCounts(run: two, in: .planned)
                .reduce(0) { $0 + $1.count } == 3003)
        #expect(try await journal.planLines(run: two, from: 0, limit: 9).count == 1)
        try await journal.forget(run: two, report: nil)
        #expect(try found(in: folder) == [])
    }

    @Test(arguments: [RunRow.Stage.deleting, .verifying])
    func `a run that can be continued is not forgotten, and it is said how`(
        stage: RunRow.Stage
    ) async throws {
        let journal = Folder().journal()
        let run = try await fill(journal, stage: stage)
        let error = await #expect(throws: JournalError.self) {
            try await journal.forget(run: run, report: nil)
        }
        #expect(error?.code == .unfinished)
        #expect(error?.reason.contains("cksweep resume one") == true)
        #expect(try await journal.planLines(run: run, from: 0, limit: 9).count == 1)
    }

    @Test func `a run under way is not forgotten, one that was cut off is`() async throws {
        let folder = Folder()
        let working = folder.journal()
        let run = try await fill(working, ended: nil, stage: .planned)
        for journal in [working, folder.journal()] {
            let error = await #expect(throws: JournalError.self) {
                try await journal.forget(run: run, report: nil)
            }
            #expect(error?.code == .unfinished)
            #expect(error?.reason.contains("in progress") == true)
            #expect(try await journal.prune(before: Timestamp(milliseconds: 99)) == [])
        }
        await working.close()
        try await folder.journal().forget(run: run, report: nil)
        #expect(try found(in: folder) == [])
    }

    @Test func `forgetting that was cut off goes on when it is asked for again`() async throws {
        let folder = Folder()
        let cutNow = Flag()
        let journal = folder.journal(hook: { isBefore in
            if !isBefore && cutNow.isSet { throw Cut() }
        })
        let run = try await fill(journal)
        cutNow.isSet = true
        await #expect(throws: JournalError.self) {
            try await journal.forget(run: run, report: nil)
        }
        await journal.close()
        try await folder.journal().forget(run: run, report: nil)
        #expect(try found(in: folder) == [])
    }

    @Test func `S17 forgetting says so when somebody keeps the file from being cleared`()
        async throws
    {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await fill(journal)
        let reader = try Connection(.file(folder.file), readOnly: true)
        try reader.execute("BEGIN; SELECT count(*) FROM seen")
        let error = await #expect(throws: JournalError.self) {
            try await journal.forget(run: run, report: nil)
        }
        #expect(error?.code == .busy)
        try reader.execute("COMMIT")
        try await journal.forget(run: run, report: nil)
        #expect(try found(in: folder) == [])
    }

    // MARK: Pruning

    @Test func `pruning removes old runs, and keeps what protects the person`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let old = try await fill(journal, "old", ended: 50)
        _ = try await fill(journal, "bare", ended: 60, usesPlan: false)
        _ = try await fill(journal, "resumable", ended: 70, stage: .verifying)
        _ = try await fill(journal, "new", ended: 100)
        let crashed = folder.journal()
        _ = try await fill(crashed, "crashed", ended: nil, stage: .looking, usesPlan: false)
        await crashed.close()
        let removed = try await journal.prune(before: Timestamp(milliseconds: 100))
        #expect(removed.sorted() == ["bare", "crashed", "old"])
        #expect(try await journal.runs(limit: 9).map(\.id) == ["new", "resumable"])
        let error = await #expect(throws: JournalError.self) {
            _ = try await journal.run(id: "old")
        }
        #expect(error?.code == .noSuchRun)
        // Its plan cannot be used again.
        #expect(try await journal.run(usingPlan: "digest old")?.key == old)
        #expect(try await journal.isFenced(RecordZone.ID("Diary of Ada"), at: try address()))
        #expect(try await journal.types(of: try containerID(), .development) == ["Note"])
        #expect(try await journal.events(run: old, from: 0, limit: 9).isEmpty)
        #expect(try await journal.stepSums(run: old).isEmpty)
        #expect(try await journal.verifyChain(run: old).count == 0)
        let tables = ["seen", "links", "plan_lines", "steps", "failures", "events", "notes"]
        for table in tables {
            let rows = try Connection(.file(folder.file)).rows(
                "SELECT count(DISTINCT run) FROM \(table) WHERE run > 0")
            #expect(rows == [[.integer(2)]], "\(table)")
        }
        #expect(try await journal.prune(before: Timestamp(milliseconds: 100)) == [])
    }

    @Test func `S17 after pruning every run no byte of the folder holds a name`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        for id in ["one", "two"] { _ = try await fill(journal, id) }
        #expect(try await journal.prune(before: Timestamp(milliseconds: 51)).count == 2)
        #expect(try found(in: folder) == [])
        #expect(try await journal.fences(limit: 9).map(\.zone) == [nil, nil])
    }
}

/// A mark that a hook looks at.
private final class Flag: Sendable {
    private let value = Locked(false)
    var isSet: Bool {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
