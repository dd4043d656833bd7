import Basics
import CloudModel
import CommandLine
import CommandWorld
import Commands
import Configuration
import DeletionPlanning
import Foundation
import SweepEngine
import Testing

/// Reports made for looking at.
enum SampleReport {
    static let app = Container.ID("iCloud.com.example.app")
    static let docs = Container.ID("iCloud.com.example.docs")

    static let server = ServerFacts(url: "https://localhost:8443", isRehearsal: true)

    static func facts(zones: Int, records: Int) -> PlanFacts? {
        guard let app, let docs else { return nil }
        var totals = PlanTotals()
        totals.zones = zones
        totals.defaultZones = 2
        totals.records = records
        totals.subscriptions = 1
        totals.kept = 1
        totals.steps = 5
        return PlanFacts(
            toolVersion: "0.1.0", environment: .development, server: Self.server,
            subjects: [
                .init(container: app, userPseudonym: "3f9a0c11aa22bb33cc44"),
                .init(container: docs, userPseudonym: "77aa0c11aa22bb33cc44"),
            ], scopes: [.private], created: TestWorld.moment,
            expires: TestWorld.moment.advanced(by: .seconds(86_400)), nonce: "n",
            totals: totals, digest: String(repeating: "ab", count: 32))
    }

    static func report(_ status: Basics.ExitStatus, _ explanation: String) -> SweepReport {
        var report = SweepReport(.recorded(status, explanation), runID: "20261118-r1")
        report.server = server
        guard let app, let docs else { return report }
        report.application = "com.example.app"
        report.environment = .development
        report.subjects = [
            .init(container: app, userPseudonym: "3f9a0c11aa22bb33cc44", givenName: "Ann"),
            .init(container: docs, userPseudonym: "77aa0c11aa22bb33cc44", givenName: nil),
        ]
        report.plan = facts(zones: 1200, records: 15)
        report.recordsInZones = 34_567
        report.began = TestWorld.moment
        report.ended = TestWorld.moment.advanced(by: .milliseconds(4321))
        report.requests = 1234
        report.retries = 3
        return report
    }

    static func row(
        _ container: Container.ID?, _ kind: CoverageRow.Kind, _ outcome: CoverageRow.Outcome,
        found: Int = 0, deleted: Int = 0, gone: Int = 0, kept: Int = 0, failed: Int = 0,
        left: Int = 0, subject: String? = nil, reason: String? = nil
    ) -> [CoverageRow] {
        guard let container else { return [] }
        var row = CoverageRow(
            container: container, scope: .private, kind: kind, subject: subject,
            outcome: outcome, reason: reason)
        row.found = found
        row.deleted = deleted
        row.alreadyGone = gone
        row.kept = kept
        row.failed = failed
        row.left = left
        return [row]
    }

    static var planned: SweepReport {
        var report = report(.somethingToDelete, "1,218 things would be deleted")
        report.ended = nil
        report.rows =
            row(docs, .customZones, .toDelete, found: 3)
            + row(app, .subscriptions, .toDelete, found: 1)
            + row(app, .customZones, .toDelete, found: 1197)
            + row(app, .defaultZone, .empty)
            + row(
                docs, .defaultZone, .kept, found: 1, kept: 1, subject: "Invoice",
                reason: "kept for tax law until 2031")
        return report
    }

    static var done: SweepReport {
        var report = report(.done, "everything in scope is deleted, and two passes found nothing")
        report.rows =
            row(app, .customZones, .deleted, found: 1197, deleted: 1195, gone: 2)
            + row(app, .defaultZone, .alreadyGone, found: 1, gone: 1)
            + row(docs, .customZones, .empty)
            + row(docs, .publicRecords, .notInScope, reason: "\"databases\" does not name public")
        report.passes = [
            VerificationPass(
                number: 1, began: TestWorld.moment,
                ended: TestWorld.moment.advanced(by: .seconds(1)),
                left: 0, unread: 0, requests: 42),
            VerificationPass(
                number: 2, began: TestWorld.moment.advanced(by: .seconds(11)),
                ended: TestWorld.moment.advanced(by: .seconds(12)), left: 0, unread: 0,
                requests: 42),
        ]
        report.timings = [
            .init(phase: .inventory, took: .milliseconds(300)),
            .init(phase: .delete, took: .seconds(3)),
        ]
        report.evidencePath = "/state/runs/20261118-r1/evidence.json"
        report.chainHead = String(repeating: "cd", count: 32)
        return report
    }

    static var failed: SweepReport {
        var report = report(.partlyFailed, "2 deletions failed after all retries")
        report.allowPartial = "the settings container is being moved"
        report.rows =
            row(app, .customZones, .failed, found: 4, deleted: 2, failed: 2, left: 2)
            + row(
                docs, .defaultZone, .unproven, subject: "Visit",
                reason: "its record name is not QUERYABLE; add the index")
        report.passes = [
            VerificationPass(
                number: 1, began: TestWorld.moment, ended: TestWorld.moment, left: 2, unread: 1,
                requests: 7)
        ]
        if let app {
            report.failures = [
                .init(
                    container: app, scope: .private, kind: .customZones, name: "Notes",
                    code: .quotaExceeded, reason: "over quota"),
                .init(
                    container: app, scope: .private, kind: .customZones, name: nil,
                    code: .accessDenied, reason: ""),
            ]
        }
        report.failureCount = 2
        report.hasBegun = true
        report.unmatchedRules = [ProtectRule(zone: "Reciepts", reason: "tax law")]
        return report
    }
}

struct OutputTests {
    static let samples = [
        ("planned", SampleReport.planned), ("done", SampleReport.done),
        ("failed", SampleReport.failed),
    ]

    @Test func `a reason that rows share is said once`() {
        var report = SampleReport.report(.discoveryIncomplete, "could not be checked")
        let reason = "cannot ask for the signed-in user"
        report.rows = [SampleReport.app, SampleReport.docs].flatMap { container in
            [CoverageRow.Kind.customZones, .defaultZone, .userRecord].flatMap { kind in
                SampleReport.row(container, kind, .notLookedAt, reason: reason)
            } + SampleReport.row(container, .donations, .notInScope, reason: "there is no store")
                + SampleReport.row(container, .otherEnvironment, .notLookedAt, reason: reason)
        }
        let lines = CoverageMap(report).lines(Style(isColored: false))
        #expect(lines.count { $0.contains(reason) } == 1)
        #expect(lines.count { $0.contains("as above") } >= 2)
        #expect(lines.count { $0.contains("not scanned") } == 8)
    }

    @Test(arguments: samples.map(\.0))
    func `a report reads as it did`(name: String) throws {
        let report = try #require(Self.samples.first { $0.0 == name }).1
        for columns in [80, 120, 200] {
            let style = Style(isColored: false, columns: columns)
            let whole = ReportText(report, style).text
            let short = SummaryText(report, style).lines + VerdictText(report).lines(style)
            let text =
                short.joined(separator: "\n") + "\n\n--- with -v ---\n\n" + whole
            try Snapshot.check(text, "report-\(name)-\(columns).txt")
            #expect(!text.contains(" \n"))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
            #expect(short.count <= 12)
        }
    }

    @Test(arguments: samples.map(\.0))
    func `a report for programs has the same facts`(name: String) throws {
        let report = try #require(Self.samples.first { $0.0 == name }).1
        try Snapshot.check(
            String(decoding: report.json(pretty: true), as: UTF8.self) + "\n", "report-\(name).json"
        )
    }

    @Test func `colours change nothing but colours`() {
        func text(_ style: Style) -> String {
            let report = SampleReport.failed
            let short = SummaryText(report, style).lines + VerdictText(report).lines(style)
            return short.joined(separator: "\n") + ReportText(report, style).text
        }
        let plain = text(Style(isColored: false))
        let colored = text(Style(isColored: true))
        #expect(colored != plain)
        #expect(colored.replacing(#/\u{1B}\[[0-9]*m/#, with: "") == plain)
    }

    @Test(arguments: Basics.ExitStatus.allCases)
    func `only what is done and verified is called done`(status: Basics.ExitStatus) {
        let (word, tone) = VerdictText.headline(status)
        #expect((word == "DONE") == (status == .done))
        #expect((tone == .good) == (status == .done))
    }

    @Test(
        arguments: [
            (nil, true, [:], true), (nil, false, [:], false), (nil, true, ["NO_COLOR": "1"], false),
            (nil, true, ["TERM": "dumb"], false), ("always", false, ["NO_COLOR": "1"], true),
            ("never", true, [:], false), ("auto", true, ["NO_COLOR": ""], true),
        ] as [(String?, Bool, [String: String], Bool)])
    func `colours follow the option, then the environment`(
        wish: String?, isTerminal: Bool, variables: [String: String], isColored: Bool
    ) throws {
        let environment = try TestWorld().environment(variables: variables)
        let style = Style.decide(wish, isTerminal: isTerminal, in: environment)
        #expect(style.isColored == isColored)
    }

    @Test func `events are lines of JSON in a fixed order`() throws {
        let app = try #require(SampleReport.app)
        let notice = Event("odd", [.init("text", "a\"\n\u{1}é"), .init("none", nil as String?)])
        var lines = notice.line(at: TestWorld.moment)
        let events: [SweepEvent] = [
            .phaseBegan(.inventory), .discovered(app, .private, .customZones, found: 7),
            .planned(try #require(SampleReport.facts(zones: 2, records: 3))),
            .waiting(app, .private, .throttled, wait: .milliseconds(1500), attempt: 2, of: 8),
            .passEnded(SampleReport.done.passes[0]), .leftover(SampleReport.failed.rows[0]),
            .phaseEnded(.verify, took: .seconds(2)),
        ]
        let stamp = EventStamp(at: TestWorld.moment, rehearsalAt: nil)
        for line in events.compactMap({ $0.jsonLine(stamp) }) {
            lines += String(decoding: line, as: UTF8.self) + "\n"
        }
        try Snapshot.check(lines, "events.jsonl")
        for line in lines.split(whereSeparator: { $0.isNewline }) {
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(line.utf8))
            }
        }
    }

    @Test func `a cause is told once, however many things it cost`() throws {
        let (app, docs) = (try #require(SampleReport.app), try #require(SampleReport.docs))
        var report = SampleReport.failed
        let ends = ["operation aborted by pre-request callback", "Connection died"]
        report.failures = (0..<6).map { number in
            SweepReport.Failure(
                container: number < 3 ? app : docs, scope: number == 5 ? .public : .private,
                kind: .subscriptions, name: "s\(number)", code: .responseLost,
                reason: "the connection ended before the response did (\(ends[number % 2]))")
        }
        report.failureCount = 6
        let style = Style(isColored: false)
        let short = SummaryText(report, style).lines.joined(separator: " ")
        #expect(
            short.contains("failed: 6 in 3 locations of 2 containers: RESPONSE_LOST: the"),
            "\(short)")
        let whole = ReportText(report, style).text
        for text in [short, whole] {
            #expect(text.split(separator: "RESPONSE_LOST").count == 2, "\(text)")
        }
        #expect((0..<6).allSatisfy { whole.contains("\"s\($0)\"") })
        #expect(whole.contains("private subscriptions of iCloud.com.example.docs: \"s3\", \"s4\""))
        // Other words of the service are another cause.
        report.failures += [
            .init(
                container: app, scope: .public, kind: .publicRecords, name: "a",
                code: .accessDenied, reason: "not yours")
        ]
        let both = SummaryText(report, style).lines.joined(separator: "\n")
        #expect(both.contains("failed: public records \"a\" of iCloud"), "\(both)")
    }

    @Test func `what went wrong is never left out, and what else is left out is counted`() throws {
        let app = try #require(SampleReport.app)
        var report = SampleReport.failed
        report.failures = CloudError.Code.allCases.prefix(9).map { code in
            .init(
                container: app, scope: .private, kind: .customZones, name: "z", code: code,
                reason: String(repeating: "word ", count: 12))
        }
        report.unmatchedRules = (0..<9).map { ProtectRule(zone: "z\($0)", reason: "tax law") }
        for columns in [40, 80, 200] {
            let style = Style(isColored: false, columns: columns)
            let lines = SummaryText(report, style).lines
            #expect(lines[0].hasPrefix("failed: private custom zones \"z\""))
            #expect(lines.contains { $0.contains("-v shows all") })
            if columns >= 80 { #expect(lines.count + 3 <= SummaryText.linesMax, "\(lines)") }
        }
    }

    @Test func `containers with something open come first`() throws {
        var report = SampleReport.failed
        report.rows =
            SampleReport.row(SampleReport.app, .customZones, .deleted, found: 4, deleted: 4)
            + SampleReport.row(SampleReport.docs, .customZones, .failed, found: 1, failed: 1)
        let style = Style(isColored: false)
        for lines in [SummaryText(report, style).lines, CoverageMap(report).lines(style)] {
            let docs = try #require(lines.firstIndex { $0.hasPrefix("iCloud.com.example.docs ") })
            let app = try #require(lines.firstIndex { $0.hasPrefix("iCloud.com.example.app ") })
            #expect(docs < app)
        }
    }

    @Test func `the live line says whom it waits for, in the first columns`() throws {
        let app = try #require(SampleReport.app)
        var line = ProgressLine(host: "cloud.example.org")
        line.tell(.phaseBegan(.inventory), at: .zero)
        var progress = SweepProgress()
        progress.requests = 3
        progress.inFlight = 3
        line.tell(.progress(progress), at: .seconds(1))
        #expect(line.text(at: .seconds(2), width: 79) == "scanning · 0 found · 3 requests")
        #expect(
            line.text(at: .seconds(9), width: 79)
                == "scanning · 0 found · 3 requests · no reply from cloud.example.org for 8 s")
        line.tell(
            .waiting(app, .private, .networkFailure, wait: .seconds(2), attempt: 1, of: 5),
            at: .seconds(10))
        #expect(
            line.text(at: .seconds(10), width: 79)
                == "scanning · waiting for cloud.example.org to reply, attempt 2 of 5")
        // Once it answers there is news.
        progress.inFlight = 0
        progress.retries = 1
        line.tell(.progress(progress), at: .seconds(11))
        #expect(
            line.text(at: .seconds(11), width: 79)
                == "scanning · 0 found · 3 requests · 1 retried")
        // A wait that the server asks for is not what is left out.
        line.tell(.phaseBegan(.delete), at: .seconds(12))
        progress.phase = .delete
        progress.itemsDone = 50
        progress.itemsTotal = 200
        progress.inFlight = 4
        line.tell(.progress(progress), at: .seconds(22))
        line.tell(
            .waiting(app, .private, .throttled, wait: .seconds(30), attempt: 0, of: 8),
            at: .seconds(22))
        let text = line.text(at: .seconds(22), width: 79)
        #expect(text.count <= 79 && text.hasSuffix("waiting 30.0 s (THROTTLED)"), "\(text)")
    }

    @Test func `the live line tells count, rate and time left`() {
        var line = ProgressLine()
        #expect(!line.hasSomething)
        line.tell(.phaseBegan(.delete), at: .seconds(10))
        var progress = SweepProgress()
        progress.phase = .delete
        progress.itemsDone = 50
        progress.itemsTotal = 200
        progress.requests = 12
        progress.retries = 1
        line.tell(.progress(progress), at: .seconds(15))
        #expect(
            line.text(at: .seconds(15), width: 200)
                == "deleting · [####------------] 50/200 · 10/s · 15.0 s left · 12 requests · "
                + "1 retried")
        #expect(line.text(at: .seconds(15), width: 20) == "deleting · 50/200")
        let cut = line.text(at: .seconds(15), width: 12)
        #expect(cut.count == 12 && cut.hasSuffix("…"))
        #expect(line.text(at: .seconds(15), width: 39) == "deleting · 50/200 · 10/s · 15.0 s left")
    }

    @Test(arguments: [0, 1, 12, 123, 1234, 1_234_567, -1234])
    func `large numbers are grouped`(number: Int) {
        let text = TextTable.grouped(number)
        #expect(Int(text.filter { $0 != "," }) == number)
        let groups: [Substring] = text.split(separator: ",")
        #expect(groups.dropFirst().allSatisfy { $0.count == 3 })
    }
}

struct ConfirmationTests {
    private func ask(
        _ world: TestWorld, typed: [String] = [], isTerminal: Bool = true, approve: String? = nil
    ) async throws -> Approval? {
        let console = try Console(
            Arguments(), in: world.environment(typed: typed, isTerminal: isTerminal))
        return await Confirmation(console, approve: approve, server: "https://localhost:1")
            .ask(SampleReport.planned)
    }

    @Test func `what is typed is handed on as it is`() async throws {
        let world = try TestWorld()
        let phrase = "delete 1200 zones in 2 containers"
        #expect(try await ask(world, typed: ["  \(phrase) "]) == .typed(phrase))
        try Snapshot.check(world.errors.text, "confirmation.txt")
        #expect(try await ask(world, typed: ["y", "yes", "no"]) == .typed("no"))
    }

    @Test func `a mistyped phrase may be typed again, twice`() async throws {
        let phrase = "delete 1200 zones in 2 containers"
        let slip = "delete 120 zones in 2 containers"
        for slips in 0...3 {
            let world = try TestWorld()
            let typed = Array(repeating: slip, count: slips) + [phrase]
            let expected = slips < 3 ? phrase : slip
            #expect(try await ask(world, typed: typed) == .typed(expected))
            let asked = world.errors.text.split(separator: "That is not the phrase").count - 1
            #expect(asked == min(slips, 2))
        }
        // Nothing typed, and the end of input, are no at once.
        for typed in [[""], [slip, ""], [slip]] {
            #expect(try await ask(TestWorld(), typed: typed) == nil)
        }
    }

    @Test func `who is signed in is told for each container, and once where it is one person`()
        async throws
    {
        let world = try TestWorld()
        let console = try Console(Arguments(), in: world.environment())
        let question = Confirmation(console, approve: nil, server: "https://localhost:1")
        var report = SampleReport.planned
        let plan = try #require(report.plan)
        func people() -> [String] {
            question.banner(report, plan).split(separator: "\n").map { String($0) }
                .filter { $0.contains("3f9a0c11aa22") || $0.contains("77aa0c11aa22") }
        }
        #expect(
            people() == [
                "  user         Ann, 3f9a0c11aa22 in iCloud.com.example.app",
                "               77aa0c11aa22 in iCloud.com.example.docs",
            ])
        report.subjects = report.subjects.map {
            .init(container: $0.container, userPseudonym: $0.userPseudonym, givenName: "Ann")
        }
        // Two people may both be called Ann.
        #expect(
            people() == [
                "  user         Ann, 3f9a0c11aa22 in iCloud.com.example.app",
                "               Ann, 77aa0c11aa22 in iCloud.com.example.docs",
            ])
        report.subjects = report.subjects.map {
            .init(container: $0.container, userPseudonym: "3f9a0c11aa22", givenName: nil)
        }
        #expect(people() == ["  user         3f9a0c11aa22"])
    }

    @Test func `the end of input means no`() async throws {
        let world = try TestWorld()
        #expect(try await ask(world) == nil)
        #expect(world.errors.text.hasSuffix("\nNo answer; nothing was deleted.\n"))
    }

    @Test func `no terminal means no, and the way out is told`() async throws {
        let world = try TestWorld()
        let phrase = "delete 1200 zones in 2 containers"
        #expect(try await ask(world, typed: [phrase], isTerminal: false) == nil)
        let digest = String(repeating: "ab", count: 32)
        #expect(world.errors.text.contains("--approve \(digest)"))
    }

    @Test func `a digest given before is the answer, right or wrong`() async throws {
        let world = try TestWorld()
        #expect(try await ask(world, isTerminal: false, approve: "00") == .digest("00"))
        #expect(world.errors.text.isEmpty)
    }
}
