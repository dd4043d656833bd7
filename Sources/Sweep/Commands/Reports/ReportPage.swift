import Basics
import CommandLine
import Configuration
package import SweepEngine

/// A report as one page of HTML that asks for nothing from elsewhere: outcome first, a bar a row, a
/// timeline, and what was not looked at. For others than the operator; readable on a telephone and on
/// paper, in light and in dark.
package struct ReportPage: Sendable {
    /// Rows that are drawn, and gaps that are listed; what is beyond is counted.
    private static let itemsMax = 400

    private static let policy = "default-src 'none'; style-src 'unsafe-inline'"

    private let report: SweepReport
    private let outcome: OutcomeText

    package init(_ redacted: RedactedReport) {
        report = redacted.report
        outcome = OutcomeText(redacted)
    }

    package var html: String {
        let title = report.caseReference.map { "\($0): " } ?? ""
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <title>\(Self.text(title + outcome.headline))</title>
            <style>
            \(ReportPageStyle.css)
            </style>
            <main>
            \(([rehearsal, head, numbers, facts] + places + [timeline, gaps, check])
                .filter { !$0.isEmpty }.joined(separator: "\n"))
            </main>
            </html>

            """
    }

    private static func text(_ text: String) -> String { MarkupText.escape(Visible.text(text)) }

    // MARK: The outcome

    private var rehearsal: String {
        guard let server = report.server, server.isRehearsal else { return "" }
        return
            "<p class=\"rehearsal\"><strong>Rehearsal</strong> at \(Self.text(server.url)), not "
            + "Apple's service: it is no evidence about real data.</p>"
    }

    private var head: String {
        let reference = report.caseReference.map { "Case \($0)" } ?? "Deletion of personal data"
        return """
            <header class="\(outcome.tone.rawValue)">
            <p class="case">\(Self.text(reference))</p>
            <h1>\(Self.text(outcome.headline))</h1>
            <p>\(Self.text(outcome.sentence + allowance))</p>
            </header>
            """
    }

    private var allowance: String {
        report.allowPartial == nil ? "" : " The run was allowed to leave something out."
    }

    private var numbers: String {
        let tally = report.tally
        let rest = Remainder(report)
        let sum = report.rows.reduce(0) { $0 + rest.exported($1) }
        let exported = sum > 0 ? [("exported", sum)] : []
        let all =
            exported + [
                ("deleted", tally.deleted), ("already deleted", tally.alreadyGone),
                ("kept", tally.kept),
                ("failed", tally.failed),
                rest.isBeforeDeletion
                    ? ("to delete", report.rows.reduce(0) { $0 + rest.toDelete($1) })
                    : ("left", report.rows.reduce(0) { $0 + rest.left($1) }),
                ("not verifiable", tally.unproven),
            ]
        return "<dl class=\"numbers\">"
            + all.map { "<div><dd>\(TextTable.grouped($0.1))</dd><dt>\($0.0)</dt></div>" }.joined()
            + "</dl>"
    }

    private var facts: String {
        var facts: [(String, String)] = []
        func add(_ name: String, _ value: String?) {
            if let value { facts.append((name, value)) }
        }
        add("Run", report.runID)
        add("App", report.application)
        add("Environment", report.environment?.rawValue)
        add("Service", report.server?.url)
        add("Server key", report.serverKey)
        add("Plan", report.plan?.digest)
        add("Request", report.erasureRequest.map(DueText.words))
        add("Last event", report.chainHead)
        if report.requests > 0 { add("Requests", TextTable.grouped(report.requests)) }
        return "<dl class=\"facts\">"
            + facts.map { "<div><dt>\($0.0)</dt><dd>\(Self.text($0.1))</dd></div>" }.joined()
            + "</dl>"
    }

    // MARK: The places

    private var places: [String] {
        var left = Self.itemsMax
        let rest = Remainder(report)
        let sections = report.subjects.map { subject -> String in
            let rows = report.rows.filter { $0.container == subject.container }
            let drawn = rows.filter { $0.found > 0 || $0.outcome == .failed }
            let shown = drawn.prefix(left)
            left -= shown.count
            let empty = rows.filter { $0.outcome == .empty && $0.found == 0 }
            return """
                <section>
                <h2>\(Self.text(subject.container.rawValue)) <small>user \
                \(Self.text(subject.userPseudonym))</small></h2>
                \(Self.list(shown, rest))\(Self.more(drawn.count - shown.count))\(Self.empty(empty))
                </section>
                """
        }
        return sections
    }

    private static func list(_ rows: ArraySlice<CoverageRow>, _ rest: Remainder) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { line($0, rest) }
        return "<ul class=\"rows\">\n" + lines.joined(separator: "\n") + "\n</ul>\n"
    }

    private static func line(_ row: CoverageRow, _ rest: Remainder) -> String {
        let bar = ReportBar(row, rest)
        let subject = row.subject.map { ": \($0)" } ?? ""
        let reason = row.reason.map { "<span class=\"why\">\(text($0))</span>" } ?? ""
        let words = bar.words.isEmpty ? row.outcome.label : bar.words
        return "<li><span>\(text(row.kind.rawValue + subject)) <small>\(row.scope.rawValue)</small>"
            + "</span>\(bar.svg)<span class=\"count\">\(text(words))</span>\(reason)</li>"
    }

    private static func empty(_ rows: [CoverageRow]) -> String {
        guard !rows.isEmpty else { return "" }
        let names = rows.map { "\($0.kind.rawValue) (\($0.scope.rawValue))" }
        return "<p class=\"empty\">Scanned and empty: \(text(names.joined(separator: ", "))).</p>"
    }

    private static func more(_ count: Int) -> String {
        count <= 0 ? "" : "<p class=\"empty\">And \(Counts.some(count, "further location")).</p>"
    }

    // MARK: What it rests on

    private var timeline: String {
        guard let timeline = ReportTimeline(report) else { return "" }
        return "<section>\n<h2>When</h2>\n\(timeline.html)\n</section>"
    }

    private var gaps: String {
        let all = ReportGap.all(of: report)
        let items = all.prefix(Self.itemsMax).map { gap in
            let containers =
                gap.containers.count == report.subjects.count && gap.containers.count > 1
                ? "every container" : gap.containers.joined(separator: ", ")
            return "<li\(gap.isOpen ? " class=\"open\"" : "")>"
                + "\(Self.text("\(gap.what), \(containers)")): \(Self.text(gap.why))</li>"
        }
        return """
            <section>
            <h2>What was not scanned</h2>
            <ul class="gaps">
            \(items.joined(separator: "\n"))
            <li>backups of the service, and devices that have been offline since: no request reaches \
            them</li>
            </ul>
            \(Self.more(all.count - items.count))</section>
            """
    }

    private var check: String {
        guard let run = report.runID, report.evidencePath != nil else { return "" }
        // nil: an older report, which does not state whether it was signed; "attest" does.
        guard report.isSigned != false else {
            return """
                <section>
                <h2>How to check it</h2>
                <p>Neither this page nor the statement <code>\(Self.text(run)).json</code> is signed: the \
                state folder had no key. Others cannot verify it.</p>
                </section>
                """
        }
        return """
            <section>
            <h2>How to check it</h2>
            <p>This page is not signed; the statement <code>\(Self.text(run)).json</code> is. Check it with \
            <code>cksweep attest \(Self.text(run)).json --key KEY</code>, with a key that you \
            received separately.</p>
            </section>
            """
    }
}
