import CloudModel
import Configuration
import SweepEngine

/// Lists earlier runs.
struct RunsCommand: Command {
    private static let limit = Option(
        "limit", short: "n", value: .number(1...10_000), "show at most N (default 20)")

    private static let rehearsal = Option(
        CommonOptions.rehearsal.name, "the rehearsals, which are kept apart")

    static let verb = Verb(
        "runs", "list earlier runs, newest first",
        options: [limit, rehearsal, CommonOptions.state] + CommonOptions.output,
        examples: [.init("cksweep runs -n 5", "the last five")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folders = StateFolders(arguments, in: environment)
        let isRehearsal = arguments.has(Self.rehearsal)
        let folder = isRehearsal ? folders.rehearsals : folders.runs
        let runs = try await Self.runs(in: folder, environment, arguments.number(Self.limit) ?? 20)
        guard !runs.isEmpty else {
            let others =
                isRehearsal
                ? [] : try await Self.runs(in: folders.rehearsals, environment, 1)
            console.note(
                "No runs in \(folder)."
                    + (others.isEmpty ? "" : " \"runs --rehearsal\" lists the rehearsals."))
            return .done
        }
        if isRehearsal {
            let servers = Set(runs.compactMap { $0.server?.url }).sorted()
            console.begin(
                at: ServerFacts(url: servers.joined(separator: ", "), isRehearsal: true))
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

    private static func runs(
        in folder: String, _ environment: Environment, _ limit: Int
    ) async throws(CommandFailure) -> [SweepHistory.Entry] {
        guard environment.files.facts(folder) != nil else { return [] }
        return try await RunFinder.all(in: folder, limit: limit)
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
                .init("server", run.server?.url),
                .init("rehearsal", run.server?.isRehearsal ?? false),
                .init("containers", .list(run.containers.map { .text($0.rawValue) })),
                .init("plan", run.planDigest),
                .init("status", run.status.map { .number(Int($0.rawValue)) } ?? .null),
                .init("canResume", run.canResume),
            ])
    }
}
