import CloudModel
package import SweepEngine

/// A report in a few lines: what went wrong, a line for each container, what stays and why.
/// ``VerdictText`` is its last line, and ``ReportText`` the whole.
package struct SummaryText: Sendable {
    /// Lines about what went wrong, and about what stays; what is beyond is counted.
    private static let linesMax = 3

    private let report: SweepReport
    private let style: Style

    package init(_ report: SweepReport, _ style: Style) {
        self.report = report
        self.style = style
    }

    package var lines: [String] {
        problems + containers + kept + notInScope + unmatched + allowance + facts
    }

    // MARK: What went wrong

    private var problems: [String] {
        let open = report.rows.filter { $0.isOpen && $0.outcome != .failed }
        let words =
            FailureGroup.all(of: report.failures).map { "failed: \($0.words)" }
            + ReasonGroup.all(of: open).map(\.words)
        return lines(words, .bad)
    }

    private func lines(_ words: [String], _ tone: Style.Tone) -> [String] {
        let shown = words.prefix(Self.linesMax).flatMap { style.paragraph($0, tone) }
        let more = words.count - Self.linesMax
        return more <= 0
            ? shown : shown + [style.text("and \(more) more like these: -v has all", tone)]
    }

    // MARK: The containers

    private var containers: [String] {
        var seen: Set<Container.ID> = []
        let all = (report.subjects.map(\.container) + report.rows.map(\.container))
            .filter { seen.insert($0).inserted }
        guard !report.rows.isEmpty else { return [] }
        var table = TextTable()
        for container in all {
            let rows = report.rows.filter { $0.container == container }
            table.add([.init(container.rawValue), Self.cell(rows)])
        }
        return table.lines(style)
    }

    /// `17 deleted, 2 already gone; 4 empty`: things, and then places.
    private static func cell(_ rows: [CoverageRow]) -> TextTable.Cell {
        func sum(_ value: (CoverageRow) -> Int) -> Int { rows.reduce(0) { $0 + value($1) } }
        let counts = [
            (sum { $0.outcome == .toDelete ? $0.found - $0.kept : 0 }, "to delete"),
            (sum(\.deleted), "deleted"), (sum(\.alreadyGone), "already gone"),
            (sum(\.exported), "exported"), (sum(\.kept), "kept"), (sum(\.failed), "failed"),
            (sum { $0.outcome == .toDelete ? 0 : $0.left }, "left"),
        ]
        let things = counts.filter { $0.0 > 0 }.map { "\(TextTable.grouped($0.0)) \($0.1)" }
        let empty = rows.count { $0.outcome == .empty }
        let unknown = rows.count { $0.outcome == .notLookedAt || $0.outcome == .unproven }
        let places = [
            Counts.of(unknown, "place").map { "\($0) not proven" },
            empty > 0 ? "\(empty) empty" : nil,
        ].compactMap { $0 }
        let parts = [things, places].map { $0.joined(separator: ", ") }.filter { !$0.isEmpty }
        return TextTable.Cell(
            parts.isEmpty ? "nothing in scope" : parts.joined(separator: "; "),
            rows.contains(where: \.isOpen) ? .bad : .plain)
    }

    // MARK: What stays, and what nobody was asked for

    private var kept: [String] {
        lines(
            ReasonGroup.all(of: report.rows.filter { $0.kept > 0 }).map {
                "stays: " + $0.words { $0.kept }
            }, .caution)
    }

    private var notInScope: [String] {
        var seen: Set<CoverageRow.Kind> = []
        let kinds = report.rows.filter { $0.outcome == .notInScope }.map(\.kind)
            .filter { seen.insert($0).inserted }
        guard !kinds.isEmpty else { return [] }
        let names = kinds.map(\.rawValue).joined(separator: ", ")
        return style.paragraph("not in scope: \(names) (-v says why)", .faint)
    }

    private var unmatched: [String] {
        lines(
            report.unmatchedRules.map { "a rule matched nothing (misspelled?): \($0.inWords)" },
            .caution)
    }

    private var allowance: [String] {
        guard let reason = report.allowPartial else { return [] }
        return style.paragraph("allowed to be partial: \(Visible.text(reason))", .caution)
    }

    private var facts: [String] {
        var table = TextTable()
        func add(_ name: String, _ value: String?) {
            if let value { table.add([.init(name, .faint), .init(value)]) }
        }
        add("run", report.runID)
        add("request", report.erasureRequest.map(DueText.words))
        // Until it is carried out it may be approved by its digest.
        if !report.hasBegun { add("plan", report.plan?.digest) }
        add("export", report.plan?.export)
        add("evidence", report.evidencePath)
        return table.lines(style)
    }
}
