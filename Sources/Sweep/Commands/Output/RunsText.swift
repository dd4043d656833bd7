import Basics
import CommandLine
import SweepEngine

/// Runs as a table: a line each.
struct RunsText: Sendable {
    /// With fewer columns a run's beginning is told by its name alone.
    private static let wideColumns = 110

    private let runs: [SweepHistory.Entry]

    init(_ runs: [SweepHistory.Entry]) { self.runs = runs }

    func lines(_ style: Style) -> [String] {
        let isWide = style.columns >= Self.wideColumns
        var table = TextTable()
        table.add(
            (["run", "verb", "user"] + (isWide ? ["began"] : []) + ["took", "in", "exit"])
                .map { TextTable.Cell($0, .faint) })
        for run in runs {
            let took = run.ended.map { DurationText.render($0.since(run.began)) } ?? "-"
            table.add(
                [.init(run.runID), .init(run.verb), Self.person(run)]
                    + (isWide ? [.init(run.began.iso8601)] : [])
                    + [.init(took), Self.containers(run, isWide), Self.result(run)])
        }
        return table.lines(style)
    }

    /// `3 dev`: how many containers, and of which environment.
    private static func containers(_ run: SweepHistory.Entry, _ isWide: Bool) -> TextTable.Cell {
        let isProduction = run.environment == .production
        let name = isWide ? run.environment.rawValue : isProduction ? "prod" : "dev"
        return .init("\(run.containers.count) \(name)", isProduction ? .strong : .plain)
    }

    /// Whom it was about, as the first container knows them.
    private static func person(_ run: SweepHistory.Entry) -> TextTable.Cell {
        .init(run.subjects.first.map { CoverageMap.short($0) } ?? "-")
    }

    private static func result(_ run: SweepHistory.Entry) -> TextTable.Cell {
        let resumable =
            (run.canResume ? ", can be resumed" : "") + (run.isForgotten ? ", names forgotten" : "")
            + watch(run)
        guard let status = run.status else {
            return .init((run.isAbandoned ? "abandoned" : "not finished") + resumable, .caution)
        }
        let (word, tone) = VerdictText.headline(status)
        return .init("\(status.rawValue), \(word.lowercased())\(resumable)", tone)
    }

    /// When it is looked at again.
    private static func watch(_ run: SweepHistory.Entry) -> String {
        guard let watch = run.watch else { return "" }
        guard let next = watch.next else {
            return ", watched until \(watch.until.iso8601)"
        }
        return ", next scan \(next.iso8601)"
    }
}
