import CloudModel
import SweepEngine

/// Lists earlier runs.
package struct RunsCommand: Command {
    private static let limit = Option(
        "limit", short: "n", value: .number(1...10_000), "show at most N (default 20)")

    package static let verbName = "runs"
    package static let verb = Verb(
        verbName, "list earlier runs, newest first",
        options: [limit, CommonOptions.state] + CommonOptions.output,
        examples: [.init("cksweep runs -n 5", "the last five")])
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folder = environment.stateFolder(arguments.text(CommonOptions.state))
        var runs: [SweepHistory.Entry] = []
        if environment.files.facts(folder) != nil {
            runs = try await RunFinder.all(
                in: folder, limit: arguments.number(Self.limit) ?? 20)
        }
        guard !runs.isEmpty else {
            console.note("No runs in \(folder).")
            return .done
        }
        var table = TextTable()
        table.add(
            ["run", "verb", "began", "took", "environment", "containers", "result"].map {
                TextTable.Cell($0, .faint)
            })
        for run in runs {
            let took = run.ended.map { DurationText.render($0.since(run.began)) } ?? "-"
            table.add([
                .init(run.runID), .init(run.verb), .init(run.began.iso8601), .init(took),
                .init(run.environment.rawValue), .number(run.containers.count),
                Self.result(run),
            ])
            console.event(Self.event(run))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        return .done
    }

    private static func result(_ run: SweepHistory.Entry) -> TextTable.Cell {
        let resumable = run.canResume ? ", can be resumed" : ""
        guard let status = run.status else { return .init("not ended" + resumable, .caution) }
        let (word, tone) = ReportText.headline(status)
        return .init("\(status.rawValue) \(word.lowercased())\(resumable)", tone)
    }

    private static func event(_ run: SweepHistory.Entry) -> Event {
        Event(
            "run",
            [
                .init("run", run.runID), .init("verb", run.verb),
                .init("began", run.began.iso8601), .init("ended", run.ended?.iso8601),
                .init("environment", run.environment.rawValue),
                .init("containers", .list(run.containers.map { .text($0.rawValue) })),
                .init("plan", run.planDigest),
                .init("status", run.status.map { .number(Int($0.rawValue)) } ?? .null),
                .init("canResume", run.canResume),
            ])
    }
}
