import Basics
import Foundation
import Journal
import Testing

struct RunContractTests {
    @Test(arguments: JournalKind.all)
    func `what was written of a run is there after opening again`(kind: JournalKind) async throws {
        let folder = Folder()
        let begun = RunStart(
            id: "one", verb: "sweep", environment: .production,
            containers: [try containerID("iCloud.b"), try containerID("iCloud.a")],
            server: "https://localhost:8443", isRehearsal: true,
            began: Timestamp(milliseconds: 7), allowPartial: "because")
        let run = try await kind.open(folder).begin(begun, [.stage(.planned)])
        try await kind.open(folder).write(
            [
                .serverKey("ab:cd"), .subjects(["u1", "u2"]),
                .plan(digest: "d", header: [1], footer: [2]),
            ], run: run.key)
        let again = try await kind.open(folder).run(id: "one")
        #expect(again.key == run.key && again.verb == "sweep")
        #expect(again.environment == .production && again.began == begun.began)
        #expect(again.containers == begun.containers && again.stage == .planned)
        #expect(again.server == "https://localhost:8443" && again.isRehearsal)
        #expect(run.serverKey == nil && again.serverKey == "ab:cd")
        #expect(again.subjects == ["u1", "u2"] && again.allowPartial == "because")
        #expect(again.planDigest == "d")
        #expect(again.planHeader == [1] && again.planFooter == [2])
        #expect(again.ended == nil && again.status == nil)
        #expect(try await kind.open(folder).run(key: run.key) == again)
        #expect(try await kind.open(folder).runs(limit: 9) == [again])
    }

    @Test(arguments: JournalKind.all)
    func `a run ends with a status and a report, and the last report counts`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), [])
        #expect(try await journal.report(run: run.key) == nil)
        for number in 1...2 {
            let at = Timestamp(milliseconds: Int64(number))
            try await journal.write(
                [.ended(at, status: number, report: [UInt8(number)])], run: run.key)
        }
        #expect(try await journal.report(run: run.key) == [2])
        #expect(try await journal.run(id: "one").status == 2)
        #expect(try await journal.run(id: "one").ended == Timestamp(milliseconds: 2))
    }

    @Test(arguments: JournalKind.all)
    func `a run that is not there is named`(kind: JournalKind) async throws {
        let journal = kind.open(Folder())
        let error = await #expect(throws: JournalError.self) {
            _ = try await journal.run(id: "nobody")
        }
        #expect(error?.code == .noSuchRun)
        #expect(error?.reason == "there is no run nobody")
    }

    @Test(arguments: JournalKind.all)
    func `changes given together are all written or none`(kind: JournalKind) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await journal.begin(try start("one"), [.planLines([planLine(0)])])
        await #expect(throws: JournalError.self) {
            try await journal.write(
                [
                    .note(key: "a", value: [1]),
                    .step(number: 9, to: .intended, StepOutcome(pending: 3)),
                ], run: run.key)
        }
        #expect(try await kind.open(folder).note(run: run.key, key: "a") == nil)
    }

    @Test(arguments: JournalKind.all)
    func `S5 a plan is used by one run, which remembers what it was approved for`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let at = Timestamp(milliseconds: 4)
        let run = try await journal.begin(
            try start("one"), [.usePlan(digest: "approved", at: at)])
        try await journal.write(
            [.plan(digest: "fresh", header: [], footer: [])], run: run.key)
        #expect(try await journal.run(usingPlan: "approved")?.key == run.key)
        #expect(try await journal.run(usingPlan: "fresh") == nil)
        let approval = try await kind.open(folder).approval(run: run.key)
        #expect(approval?.digest == "approved" && approval?.at == at)
        await #expect(throws: JournalError.self) {
            _ = try await kind.open(folder).begin(
                try start("two"), [.usePlan(digest: "approved", at: at)])
        }
        await #expect(throws: JournalError.self) {
            try await kind.open(folder).write(
                [.usePlan(digest: "another", at: at)], run: run.key)
        }
    }

    @Test(arguments: JournalKind.all)
    func `a secret is made once`(kind: JournalKind) async throws {
        let folder = Folder()
        let first = try await kind.open(folder).secret("key")
        #expect(first.count == 32)
        #expect(try await kind.open(folder).secret("key") == first)
        #expect(try await kind.open(folder).secret("another") != first)
    }

    @Test(arguments: JournalKind.all)
    func `a note can be written once or anew`(kind: JournalKind) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), [])
        for value: UInt8 in 1...2 {
            try await journal.write(
                [.noteOnce(key: "once", value: [value]), .note(key: "anew", value: [value])],
                run: run.key)
        }
        #expect(try await journal.note(run: run.key, key: "once") == [1])
        #expect(try await journal.note(run: run.key, key: "anew") == [2])
    }

    // MARK: Types

    @Test(arguments: JournalKind.all)
    func `record types outlive their run, container by container`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let (one, other) = (try containerID("iCloud.one"), try containerID("iCloud.other"))
        let run = try await kind.open(folder).begin(
            try start("one"),
            [
                .types(one, .development, ["Recipe", "Note"]),
                .types(other, .development, ["Step"]), .types(one, .production, ["Photo"]),
            ])
        try await kind.open(folder).write(
            [.types(one, .development, ["Note", "Album"])], run: run.key)
        let types = try await kind.open(folder).types(of: one, .development)
        #expect(types == ["Album", "Note", "Recipe"])
        #expect(try await kind.open(folder).types(of: one, .production) == ["Photo"])
        #expect(try await kind.open(folder).types(of: other, .development) == ["Step"])
    }

    @Test(arguments: JournalKind.all)
    func `more record types than there is room for are refused, and nothing else is lost`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let container = try containerID()
        let run = try await journal.begin(try start("one"), [])
        let all = (0..<JournalChange.typesMax).map { String(format: "T%05d", $0) }
        try await journal.write([.types(container, .development, all)], run: run.key)
        let error = await #expect(throws: JournalError.self) {
            try await journal.write([.types(container, .development, ["More"])], run: run.key)
        }
        #expect(error?.code == .tooMany)
        try await journal.write([.note(key: "still", value: [1])], run: run.key)
        #expect(try await journal.types(of: container, .development) == all)
    }
}
