import Basics
package import CommandLine
import Configuration
package import SweepEngine

/// A report for people with everything that it rests on, for `--verbose`. ``VerdictText`` is its last line.
package struct ReportText: Sendable {
    /// Failures that are told by name.
    private static let failuresMax = 50

    private let report: SweepReport
    private let style: Style

    package init(_ report: SweepReport, _ style: Style) {
        self.report = report
        self.style = style
    }

    /// The report without its verdict, which is said last.
    package var text: String {
        let map = CoverageMap(report).lines(style)
        let blocks = [
            failures, facts, map.isEmpty ? [] : section("Coverage") + map, passes, unmatched,
            timings, numbers,
        ]
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
            .joined(separator: "\n")
    }

    /// The sums of all rows.
    private var numbers: [String] {
        var lines: [String] = []
        let tally = report.tally
        let rest = Remainder(report)
        if !rest.isBeforeDeletion, !rest.isExport, !isExport, !report.rows.isEmpty {
            let numbers = [
                ("deleted", tally.deleted), ("already deleted", tally.alreadyGone),
                ("kept", tally.kept), ("failed", tally.failed), ("left", tally.left),
                ("unproven", tally.unproven),
            ]
            lines += style.paragraph(
                numbers.map { "\($0) \(TextTable.grouped($1))" }.joined(separator: " · "))
        }
        if let reason = report.allowPartial {
            lines += style.paragraph("allowed to be partial: \(Visible.text(reason))", .caution)
        }
        return lines
    }

    private var isExport: Bool { if case .exported = report.ending { true } else { false } }

    private func section(_ title: String) -> [String] { [style.text(title, .strong)] }

    private var facts: [String] {
        var table = TextTable(indent: 2)
        func add(_ name: String, _ value: String?) {
            if let value { table.add([.init(name, .faint), .init(value)]) }
        }
        add("case", report.caseReference.map { Visible.text($0) })
        add("run", report.runID)
        add("user", report.person)
        add("request", report.erasureRequest.map(DueText.words))
        add("application", report.application)
        add("environment", report.environment?.rawValue)
        add("server", report.server?.description)
        add("server key", report.serverKey)
        add("began", report.began?.iso8601)
        if let began = report.began, let ended = report.ended {
            add("took", DurationText.render(ended.since(began)))
        }
        if let plan = report.plan {
            add("plan", plan.digest)
            add("to delete", Counts.text(plan.totals, recordsInZones: report.recordsInZones))
            add("export", plan.export)
        }
        if report.requests > 0 {
            add("requests", "\(TextTable.grouped(report.requests)), \(report.retries) retried")
        }
        add("evidence", report.evidence)
        add("chain head", report.chainHead)
        return table.lines(style)
    }

    private var passes: [String] {
        guard !report.passes.isEmpty else { return [] }
        var table = TextTable(indent: 2)
        for pass in report.passes {
            let result =
                pass.isClean
                ? TextTable.Cell("nothing found", .good)
                : TextTable.Cell(
                    pass.unread > 0
                        ? "\(pass.left) found, \(pass.unread) not readable"
                        : "\(pass.left) found", .bad)
            table.add([
                .init("pass \(pass.number)"), .init(pass.began.iso8601),
                .init("took \(DurationText.render(pass.ended.since(pass.began)))"),
                .init("\(TextTable.grouped(pass.requests)) requests"), result,
            ])
        }
        return section("Verification: a new scan of everything in scope") + table.lines(style)
    }

    private var failures: [String] {
        guard report.failureCount > 0 else { return [] }
        var lines = section("Failures (\(report.failureCount))")
        let shown = report.failures.prefix(Self.failuresMax)
        for group in FailureGroup.all(of: Array(shown)) { lines += group.lines(style, indent: 2) }
        if report.failureCount > shown.count {
            let more = report.failureCount - shown.count
            lines += style.paragraph(
                "and \(more) more: use \"report --as json\" for all", indent: 2)
        }
        return lines
    }

    private var unmatched: [String] {
        guard !report.unmatchedRules.isEmpty else { return [] }
        return section("Protect rules that matched nothing of this user")
            + report.unmatchedRules.flatMap { style.paragraph($0.inWords, indent: 2) }
    }

    private var timings: [String] {
        guard !report.timings.isEmpty else { return [] }
        let parts = report.timings.map { "\($0.phase.rawValue) \(DurationText.render($0.took))" }
        return style.paragraph("time: " + parts.joined(separator: ", "), .faint, indent: 2)
    }
}
