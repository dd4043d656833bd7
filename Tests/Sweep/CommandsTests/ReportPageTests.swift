import Basics
import CommandWorld
import Commands
import Foundation
import SweepEngine
import Testing
import ToolRunner

/// Reports for others: the page and the table.
struct ReportPageTests {
    private static let samples = [
        ("planned", SampleReport.planned), ("failed", SampleReport.failed),
        ("whole", HandedOver.whole),
    ]

    private func sample(_ name: String) throws -> RedactedReport {
        let report = try #require(Self.samples.first { $0.0 == name }).1
        return HandedOver.redacted(report, case: "DSR-2026-0117")
    }

    @Test(arguments: samples.map(\.0))
    func `a page and a table read as they did`(name: String) throws {
        let redacted = try sample(name)
        try Snapshot.check(ReportPage(redacted).html, "report-\(name).html")
        try Snapshot.check(ReportTable(redacted).csv, "report-\(name).csv")
    }

    @Test(arguments: samples.map(\.0))
    func `a page says the outcome first, and asks for nothing from elsewhere`(name: String) throws {
        let page = ReportPage(try sample(name)).html
        let outcome = try #require(page.range(of: "<h1>"))
        let numbers = try #require(page.range(of: "<dl"))
        #expect(outcome.lowerBound < numbers.lowerBound)
        #expect(page.contains("<strong>Rehearsal</strong>"))
        let references = page.matches(of: #/(src|href)=|url\(|@import|<script|<link|<img/#)
        #expect(references.isEmpty)
        // Whatever it opens it closes.
        for tag in ["main", "header", "section", "dl", "ul", "ol", "li", "svg", "div", "p"] {
            let opened = page.matches(of: try Regex("<\(tag)[ >]")).count
            #expect(opened == page.matches(of: try Regex("</\(tag)>")).count, "\(tag)")
        }
    }

    @Test(arguments: [
        ReportPage(HandedOver.redacted(HandedOver.whole)).html,
        ReportTable(HandedOver.redacted(HandedOver.whole)).csv,
        ReportPage(HandedOver.redacted(SampleReport.failed)).html,
        ReportTable(HandedOver.redacted(SampleReport.failed)).csv,
    ])
    func `S11 nobody and nothing is named`(text: String) {
        for name in ["Ann", "secret zone", "folder's own", "3f9a0c11aa22", "Notes", "over quota"] {
            #expect(!text.contains(name), "\(name)")
        }
    }

    @Test(arguments: [true, false]) func `a page says whether the statement is signed`(
        isSigned: Bool
    ) throws {
        var report = SampleReport.failed
        report.evidencePath = "evidence/\(try #require(report.runID)).json"
        report.isSigned = isSigned
        let page = ReportPage(HandedOver.redacted(report)).html
        #expect(page.contains("cksweep attest") == isSigned)
        #expect(page.contains("Neither this page nor the statement") != isSigned)
    }

    @Test func `what was not looked at is never shown as empty`() throws {
        let page = ReportPage(try sample("failed")).html
        let gaps = try #require(page.range(of: "What was not scanned"))
        let gap = try #require(page.range(of: "default zone (Visit)"))
        #expect(gaps.upperBound < gap.lowerBound)
        #expect(page[gap.upperBound...].contains("cannot be verified"))
        #expect(!page.contains("Scanned and empty"))
    }

    @Test(arguments: Basics.ExitStatus.allCases)
    func `only a run that is done is reported as good`(status: Basics.ExitStatus) {
        var report = SweepReport(.recorded(status, "<b>kiwi</b>"), runID: "r")
        report.server = .apple
        let page = ReportPage(HandedOver.redacted(report)).html
        #expect(page.contains("<header class=\"good\">") == (status == .done))
        report.server = SampleReport.server
        let rehearsal = ReportPage(HandedOver.redacted(report)).html
        #expect(!rehearsal.contains("<header class=\"good\">"))
        #expect(rehearsal.contains("<h1>Rehearsal: "))
        #expect(!page.contains("kiwi"))
        // Without a single look nothing is said to be gone.
        #expect(!page.contains("is gone"))
    }

    @Test func `what was only exported is not told as deleted or empty`() throws {
        var report = SweepReport(.recorded(.done, ""), runID: "r")
        report.server = .apple
        report.subjects = HandedOver.whole.subjects
        report.rows = SampleReport.row(SampleReport.app, .customZones, .exported)
        let page = ReportPage(HandedOver.redacted(report)).html
        #expect(page.contains("<h1>Exported</h1>") && page.contains("Nothing was deleted."))
    }

    @Test func `text that others made up stays text`() throws {
        let hostile = "</h1><script>alert(1)</script>\u{202E}&"
        var report = HandedOver.whole
        report.application = hostile
        let page = ReportPage(HandedOver.redacted(report, case: "<i>\"'&")).html
        #expect(!page.contains("<script>") && !page.contains("<i>"))
        #expect(page.contains("&lt;i&gt;&quot;&#39;&amp;"))
        #expect(!page.unicodeScalars.contains("\u{202E}"))
    }

    @Test(
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
            ("=1+1", "\"'=1+1\""), ("+1", "\"'+1\""), ("-1", "\"'-1\""), ("@x", "\"'@x\""),
            ("\t=1", "\\u{9}=1"), ("a\r\nb", "a\\u{D}\\u{A}b"), ("a;b", "\"a;b\""),
        ])
    func `no field of a table is taken for a formula or for two`(field: String, written: String) {
        var report = SweepReport(.recorded(.done, ""), runID: field)
        report.rows = SampleReport.row(SampleReport.app, .customZones, .empty)
        let table = ReportTable(HandedOver.redacted(report)).csv
        let lines = table.split(separator: "\r\n")
        #expect(lines.count == 2 && lines[1].hasPrefix(written + ","), "\(table)")
    }

    @Test func `a foreign reader finds the numbers of a table`() throws {
        let table = ReportTable(try sample("whole")).csv
        let script = """
            import csv, sys
            rows = list(csv.DictReader(sys.stdin, strict=True))
            assert all(None not in row and None not in row.values() for row in rows), rows
            parts = ("deleted", "already deleted", "kept", "exported", "failed", "left")
            for row in rows:
                assert int(row["found"]) == sum(int(row[part]) for part in parts), row
            print(len(rows), sum(int(row["deleted"]) for row in rows))
            """
        let folder = try TestWorld()
        try folder.put(table, at: "table.csv")
        try folder.put(script, at: "read.py")
        let read = try Tool.run(
            "/bin/sh", ["-c", "python3 read.py < table.csv"], folder: folder.folder,
            errors: .joined)
        #expect(read.status == 0, "\(read.text)")
        let rows = HandedOver.whole.rows
        #expect(read.text == "\(rows.count) \(rows.reduce(0) { $0 + $1.deleted })\n")
    }

    @Test(arguments: [" ", "two\nlines", "\u{1B}[31m", String(repeating: "x", count: 65)])
    func `a case reference is short and shows itself`(reference: String) async throws {
        let world = try TestWorld()
        #expect(await world.run("report", "last", "--case", reference) == 2)
        #expect(world.errors.text.contains("visible characters"))
    }
}
