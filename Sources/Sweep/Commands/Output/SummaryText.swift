import CloudModel
package import CommandLine
package import SweepEngine

/// A report in a few lines: what went wrong, a line for each container, what stays and why.
/// ``VerdictText`` is its last line, and ``ReportText`` the whole.
package struct SummaryText: Sendable {
    /// Lines of everything that is said about three containers; a fourth has one more.
    package static let linesMax = 12
    private static let containersUsual = 3
    /// Causes and reasons of one kind; what is beyond is counted.
    private static let groupsMax = 3

    private let report: SweepReport
    private let style: Style
    private let linesElsewhere: Int

    /// - Parameter linesElsewhere: Lines that are said besides, such as the verdict's.
    package init(_ report: SweepReport, _ style: Style, linesElsewhere: Int = 3) {
        self.report = report
        self.style = style
        self.linesElsewhere = linesElsewhere
    }

    package var lines: [String] {
        let facts = facts
        return places(besides: facts.count) + facts
    }

    /// What becomes of each container, and why, without the facts of the run.
    ///
    /// - Parameter count: Lines that are said with it.
    func places(besides count: Int) -> [String] {
        let containers = containers
        let room =
            Self.linesMax + max(0, containers.count - Self.containersUsual) - linesElsewhere
            - containers.count - count
        let (first, last) = fitting(room)
        return first + containers + last
    }

    /// What there is room for, before the containers and after them: what went wrong comes first,
    /// and its first cause is said in any case.
    private func fitting(_ room: Int) -> (first: [String], last: [String]) {
        let problems = problems
        let others = kept + unmatched + notInScope
        var lines: (first: [String], last: [String]) = ([], [])
        var left = room
        var dropped = 0
        for (number, part) in (problems + others).enumerated() {
            // The line that counts what is left out needs room as well.
            let isLast = number == problems.count + others.count - 1
            guard number == 0 || dropped == 0 && part.count <= left - (isLast ? 0 : 1) else {
                dropped += 1
                continue
            }
            left -= part.count
            if number < problems.count { lines.first += part } else { lines.last += part }
        }
        if dropped > 0 {
            lines.last.append(style.text("and \(dropped) more: -v shows all", .faint))
        }
        return lines
    }

    // MARK: What went wrong

    private var problems: [[String]] {
        let open = report.rows.filter { $0.isOpen && $0.outcome != .failed }
        let words =
            FailureGroup.all(of: report.failures).map { "failed: \($0.words)" }
            + ReasonGroup.all(of: open).map { $0.words(besides: report.explanation) }
        return parts(words, .bad)
    }

    private func parts(_ words: [String], _ tone: Style.Tone) -> [[String]] {
        let more = words.count - Self.groupsMax
        let shown = words.prefix(Self.groupsMax).map { style.paragraph($0, tone) }
        return more <= 0
            ? shown : shown + [[style.text("and \(more) more like these: -v shows all", tone)]]
    }

    // MARK: The containers

    private var containers: [String] {
        var table = TextTable()
        let rest = Remainder(report)
        for container in report.containersOpenFirst {
            let rows = report.rows.filter { $0.container == container }
            table.add([.init(container.rawValue), Self.cell(rows, rest)])
        }
        return report.rows.isEmpty ? [] : table.lines(style)
    }

    /// `17 deleted, 2 already deleted; 4 empty`: items, and then locations.
    private static func cell(_ rows: [CoverageRow], _ rest: Remainder) -> TextTable.Cell {
        func sum(_ value: (CoverageRow) -> Int) -> Int { rows.reduce(0) { $0 + value($1) } }
        let counts = [
            (sum(rest.toDelete), "to delete"),
            (sum(\.deleted), "deleted"), (sum(\.alreadyGone), "already deleted"),
            (sum(rest.exported), "exported"), (sum(\.kept), "kept"), (sum(\.failed), "failed"),
            (sum(rest.left), "left"),
        ]
        let things = counts.filter { $0.0 > 0 }.map { "\(TextTable.grouped($0.0)) \($0.1)" }
        let empty = rows.count { $0.outcome == .empty }
        let unseen = rows.count { $0.outcome == .notLookedAt }
        let unproven = rows.count { $0.outcome == .unproven }
        let places = [
            (unseen, "not scanned"), (unproven, "not verifiable"), (empty, "empty"),
        ].filter { $0.0 > 0 }.map { "\(TextTable.grouped($0.0)) \($0.1)" }
        let parts = [things, places].map { $0.joined(separator: ", ") }.filter { !$0.isEmpty }
        return TextTable.Cell(
            parts.isEmpty ? "nothing in scope" : parts.joined(separator: "; "),
            rows.contains(where: \.isOpen) ? .bad : .plain)
    }

    // MARK: What stays, and what nobody was asked for

    private var kept: [[String]] {
        parts(
            ReasonGroup.all(of: report.rows.filter { $0.kept > 0 }).map {
                "stays: " + $0.words { $0.kept }
            }, .caution)
    }

    private var notInScope: [[String]] {
        var seen: Set<CoverageRow.Kind> = []
        let kinds = report.rows.filter { $0.outcome == .notInScope }.map(\.kind)
            .filter { seen.insert($0).inserted }
        guard !kinds.isEmpty else { return [] }
        let names = kinds.map(\.rawValue).joined(separator: ", ")
        return [style.paragraph("not in scope: \(names) (-v shows why)", .faint)]
    }

    private var unmatched: [[String]] {
        parts(
            report.unmatchedRules.map {
                "a protect rule matched nothing of this user: \($0.inWords)"
            },
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
        // Where something went wrong, there is more to say than what "runs" says as well.
        if problems.isEmpty { add("user", report.person) }
        add("request", report.erasureRequest.map(DueText.words))
        // Until it is carried out it may be approved by its digest.
        if report.canBeApproved { add("plan", report.plan?.digest) }
        add("export", report.plan?.export)
        add("evidence", report.evidence)
        return allowance + table.lines(style)
    }
}

extension SweepReport {
    /// The containers in their order, those with something open before the others.
    var containersOpenFirst: [Container.ID] {
        var seen: Set<Container.ID> = []
        let all = (subjects.map(\.container) + rows.map(\.container))
            .filter { seen.insert($0).inserted }
        let open = Set(rows.filter(\.isOpen).map(\.container))
        return all.filter(open.contains) + all.filter { !open.contains($0) }
    }

    /// Where the evidence is, and that it cannot be verified where no key has signed it; of a plan only that it
    /// will not be.
    var evidence: String? {
        guard isSigned == false else { return evidencePath }
        let unsigned =
            "UNSIGNED: \"\(commandThatMakesTheKey)\" creates the key, before the run"
        if let evidencePath { return "\(evidencePath), \(unsigned)" }
        return plan == nil || status != .somethingToDelete ? nil : unsigned
    }

    /// Rehearsals have a key of their own.
    var commandThatMakesTheKey: String {
        "cksweep evidence init" + (server?.isRehearsal == true ? " --rehearsal" : "")
    }

    /// Whom it is about, as the first container knows them: what `runs` shows as well.
    var person: String? {
        subjects.first(where: \.isKnown).map { CoverageMap.short($0.userPseudonym) }
    }

    /// Whether its plan is one that nobody has begun to carry out.
    fileprivate var canBeApproved: Bool {
        !hasBegun && rows.contains { $0.outcome == .toDelete }
    }
}
