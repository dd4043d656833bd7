package import CloudCourier
import CloudModel
import Configuration
package import SweepEngine

/// A report for people: the outcome first, then what it rests on.
package struct ReportText: Sendable {
    private let report: SweepReport
    private let style: Style

    package init(_ report: SweepReport, _ style: Style) {
        self.report = report
        self.style = style
    }

    package var text: String {
        var lines = outcome
        lines += facts
        let map = CoverageMap(report).lines(style)
        if !map.isEmpty { lines += section("Coverage") + map }
        lines += passes + notSwept + failures + unmatched + timings
        return lines.joined(separator: "\n") + "\n"
    }

    /// The first lines alone.
    package var outcome: [String] {
        let (word, tone) = Self.headline(report.ending)
        var lines = ["\(style.text(word, tone)): \(Visible.text(report.explanation))"]
        if let consequence { lines.append(consequence) }
        let tally = report.tally
        if report.status != .somethingToDelete, !isExport, !report.rows.isEmpty {
            let numbers = [
                ("deleted", tally.deleted), ("already gone", tally.alreadyGone),
                ("kept", tally.kept), ("failed", tally.failed), ("left", tally.left),
                ("unproven", tally.unproven),
            ]
            lines.append(
                numbers.map { "\($0) \(TextTable.grouped($1))" }.joined(separator: " · "))
        }
        if let reason = report.allowPartial {
            lines.append(style.text("allowed to be partial: \(Visible.text(reason))", .caution))
        }
        return lines
    }

    private var isExport: Bool { if case .exported = report.ending { true } else { false } }

    /// What did not happen, where somebody might fear it; nil: numbers say what did.
    private var consequence: String? {
        if case .recorded = report.ending { return nil }
        guard !report.hasBegun else { return nil }
        switch report.status {
        case .internalError, .usage, .refused, .discoveryIncomplete, .notSignedIn, .outOfTime,
            .locked, .interrupted, .terminated:
            return report.requests == 0
                ? "nobody was asked anything, and nothing was deleted" : "nothing was deleted"
        case .done, .partlyFailed, .dataLeft, .somethingToDelete, .evidenceInvalid,
            .followUpFailed:
            return nil
        }
    }

    private static func headline(_ ending: Ending) -> (String, Style.Tone) {
        switch ending {
        case .nothingToDelete: ("NOTHING TO DELETE", .good)
        case .exported(let receipt) where receipt.isComplete: ("EXPORTED", .good)
        case .proven, .short, .recorded, .exported: headline(ending.status)
        }
    }

    /// The word a report begins with.
    package static func headline(_ status: ExitStatus) -> (String, Style.Tone) {
        switch status {
        case .done: ("DONE", .good)
        case .internalError: ("INTERNAL ERROR", .bad)
        case .usage: ("NOT STARTED", .bad)
        case .refused: ("REFUSED", .bad)
        case .discoveryIncomplete: ("INCOMPLETE", .bad)
        case .partlyFailed: ("PARTLY DONE", .bad)
        case .dataLeft: ("DATA LEFT", .bad)
        case .notSignedIn: ("NOT SIGNED IN", .bad)
        case .outOfTime: ("OUT OF TIME", .caution)
        case .locked: ("LOCKED", .caution)
        case .somethingToDelete: ("TO DELETE", .caution)
        case .evidenceInvalid: ("EVIDENCE INVALID", .bad)
        case .followUpFailed: ("FOLLOW-UP FAILED", .caution)
        case .interrupted, .terminated: ("INTERRUPTED", .caution)
        }
    }

    private func section(_ title: String) -> [String] { ["", style.text(title, .strong)] }

    private var facts: [String] {
        var table = TextTable(indent: 2)
        func add(_ name: String, _ value: String?) {
            if let value { table.add([.init(name, .faint), .init(value)]) }
        }
        add("case", report.caseReference.map { Visible.text($0) })
        add("run", report.runID)
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
            add("to delete", Counts.text(plan.totals))
            add("export", plan.export)
        }
        if report.requests > 0 {
            add("requests", "\(TextTable.grouped(report.requests)), \(report.retries) repeated")
        }
        add("evidence", report.evidencePath)
        add("chain head", report.chainHead)
        let lines = table.lines(style)
        return lines.isEmpty ? [] : [""] + lines
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
        return section("Verification: a fresh look at everything in scope") + table.lines(style)
    }

    /// What keeps the run from ending with 0 although nothing failed; the map has the rest.
    private var notSwept: [String] {
        let rows = report.rows.filter { row in
            switch row.outcome {
            case .notLookedAt, .unproven: true
            case .empty, .toDelete, .deleted, .alreadyGone, .kept, .notInScope, .failed, .left,
                .exported:
                false
            }
        }
        guard !rows.isEmpty else { return [] }
        var lines = section("Not swept")
        for row in rows {
            let subject = row.subject.map { " \($0)" } ?? ""
            let reason = row.reason.map { " (\($0))" } ?? ""
            lines.append(
                "  \(row.container), \(row.scope.rawValue) \(row.kind.rawValue)"
                    + Visible.text(subject) + ": \(row.outcome.rawValue)" + Visible.text(reason))
        }
        return lines
    }

    private var failures: [String] {
        guard report.failureCount > 0 else { return [] }
        var lines = section("Failures (\(report.failureCount))")
        let shown = 20
        for failure in report.failures.prefix(shown) {
            let name = failure.name.map { " \"\(Visible.text($0))\"" } ?? ""
            lines.append(
                style.text("  \(failure.container), ", .plain)
                    + "\(failure.scope.rawValue) \(failure.kind.rawValue)\(name): "
                    + style.text(failure.code.rawValue, .bad)
                    + (failure.reason.isEmpty ? "" : ": \(Visible.text(failure.reason))"))
        }
        if report.failureCount > shown {
            lines.append("  and \(report.failureCount - shown) more")
        }
        return lines
    }

    private var unmatched: [String] {
        guard !report.unmatchedRules.isEmpty else { return [] }
        return section("Protect rules that matched nothing (misspelled?)")
            + report.unmatchedRules.map { rule in
                let parts = [
                    rule.container.map { "container \($0)" }, rule.zone.map { "zone \"\($0)\"" },
                    rule.recordType.map { "record type \"\($0)\"" },
                ]
                let text = parts.compactMap { $0 }.joined(separator: ", ") + ": \(rule.reason)"
                return "  " + Visible.text(text)
            }
    }

    private var timings: [String] {
        guard !report.timings.isEmpty else { return [] }
        let parts = report.timings.map { "\($0.phase.rawValue) \(DurationText.render($0.took))" }
        return ["", style.text("  time: " + parts.joined(separator: ", "), .faint)]
    }
}
