import AsyncOperations
import CloudModel
import Configuration
import DeletionPlanning
import Evidence
import Foundation
import InProcessMock
import Journal
import LeakSearch
import MockStore
import SweepEngine
import Testing

/// S11 and S17: which words of a person's data get into which files, also when a run is cut off at any
/// step.
struct LeakTests {
    private struct Cut: Error {}

    /// A person with marked words wherever words can be.
    private struct Scene {
        let bench: Bench
        let request: SweepRequest
        let search: LeakSearch

        init() throws {
            bench = try Bench()
            let id = try container("one")
            var words = MarkedWords()
            words.zones = ["Zebrafinch journal", "Quokka receipts"]
            words.values = ["xylophone-value-1", "e.mail@quagga.example"]
            words.records = ["axolotl-record-", "narwhal-subscription"]
            try bench.cloud.withStore { [words] store in
                let zones = words.zones + ["_defaultZone"]
                try store.seed(zones: zones, at: address(id), user: "ada") { zone in
                    (0..<3).map { number in
                        SeedRecord(
                            "\(words.records[0])\(number)", type: "Note",
                            fields: [
                                "title": .string(words.values[0]),
                                "to": .string(words.values[1]),
                            ])
                    }
                }
            }
            try bench.perform(
                .write(
                    .modifySubscriptions([
                        .create(
                            Subscription(subscriptionID: words.records[1], kind: .database))
                    ])), at: address(id))
            words.people = [
                try bench.cloud.withStore { $0.userRecordName(of: "ada", in: id, .development) }
            ]
            var wanted = SweepEngineTests.request([id], scopes: Database.Scope.allCases)
            wanted.policy.protect = [ProtectRule(zone: words.zones[1], reason: "tax law")]
            request = wanted
            search = LeakSearch(words)
            _ = try KeyFolder(stateFolder: bench.folder).make()
        }

        /// Pages, tables and lines are made of what the history gives.
        func check(_ report: SweepReport?, _ remark: Comment) async throws {
            #expect(try search.leaks(inFolder: bench.folder) == [], remark)
            guard let run = report?.runID else { return }
            let history = SweepHistory(stateFolder: bench.folder)
            guard let reports = try await history.report(run: run, case: nil) else { return }
            let redacted = String(decoding: reports.redacted.report.json(), as: UTF8.self)
            #expect(search.leaks(in: redacted, for: .others, "redacted report") == [], remark)
            // To the operator a report names what failed.
            guard reports.own.failures.isEmpty else { return }
            let own = String(decoding: reports.own.json(), as: UTF8.self)
            #expect(search.leaks(in: own, for: .operatorOnScreen, "report") == [], remark)
        }

        /// Forgets every run; then nothing may be left.
        func checkForgotten(_ remark: Comment) async throws {
            let forgetter = RunForgetter(
                stateFolder: bench.folder, wallClock: .fixed(Bench.now), isAlive: { _ in false })
            for run in try await SweepHistory(stateFolder: bench.folder).runs() {
                _ = try await forgetter.forget(run.runID, abandons: true)
            }
            await forgetter.close()
            #expect(try search.leaks(inFolder: bench.folder, isForgotten: true) == [], remark)
        }
    }

    @Test func `the search finds a word in every form`() throws {
        var words = MarkedWords()
        words.zones = ["Zebrafinch journal"]
        let search = LeakSearch(words)
        for length in 0..<4 {
            let text = String(repeating: "x", count: length) + words.zones[0] + "yz"
            let forms = [
                text, Data(text.utf8).base64EncodedString(),
                Data(text.utf8).map { String($0, radix: 16) }.joined(),
            ]
            for form in forms {
                #expect(search.leaks(in: form, for: .others, "it") == ["it: Zebrafinch journal"])
                #expect(search.leaks(in: form, for: .stateFolder, "it") == [])
            }
        }
    }

    @Test func `S11 a whole run tells others no name, and S17 after forgetting there is none`()
        async throws
    {
        let scene = try Scene()
        let report = await scene.bench.sweep(scene.request)
        #expect(report.status == .done, "\(report.explanation)")
        let folder = scene.bench.folder
        let journal = try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.sqlite"))
        // The test would show nothing of a journal that names nobody.
        #expect(journal.range(of: Data("Zebrafinch".utf8)) != nil)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(files.contains { $0.hasSuffix(".events.jsonl") })
        #expect(files.contains { $0.hasSuffix(".checkpoint") })
        try await scene.check(report, "whole")
        try await scene.checkForgotten("whole")
    }

    /// What the service says names what it is about.
    @Test func `S11 words of the service get into no evidence and no report to others`()
        async throws
    {
        let scene = try Scene()
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            return .refuse(CloudError(.accessDenied, reason: "no access to Zebrafinch journal"))
        }
        let report = await scene.bench.sweep(scene.request, tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.failures.contains { $0.reason.contains("Zebrafinch") })
        try await scene.check(report, "refused")
        try await scene.checkForgotten("refused")
    }

    @Test(arguments: [true, false])
    func `S11 and S17 hold for a run that is cut off at any commit`(before: Bool) async throws {
        let calm = try Scene()
        let commits = Locked(0)
        let whole = await calm.bench.sweep(
            calm.request,
            world: calm.bench.world(hook: { isBefore in
                if isBefore { commits.withLock { $0 += 1 } }
            }))
        #expect(whole.status == .done, "\(whole.explanation)")
        let total = commits.withLock { $0 }
        #expect(total > 10)
        for number in 1...total {
            let scene = try Scene()
            let now = Locked(0)
            let report = await scene.bench.sweep(
                scene.request,
                world: scene.bench.world(hook: { isBefore in
                    let count = now.withLock { now in
                        if isBefore { now += 1 }
                        return now
                    }
                    if count >= number && isBefore == before { throw Cut() }
                }))
            try await scene.check(report, "commit \(number)")
            try await scene.checkForgotten("commit \(number)")
        }
    }
}
