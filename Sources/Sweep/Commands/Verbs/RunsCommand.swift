import CloudModel
import CommandLine
import Configuration
import Journal
import SweepEngine

/// Lists earlier runs.
struct RunsCommand: Command {
    private static let limit = Option(
        "limit", short: "n", value: .number(1...10_000), "show at most N (default 20)")

    private static let rehearsal = Option(
        CommonOptions.rehearsal.name, "list the rehearsals, which are stored separately")

    private static let due = Option(
        "due", "list the open requests, next deadline first")

    private static let prune = Option(
        "prune", value: Option.Value("AGE", .duration),
        "remove runs that ended longer ago than AGE, such as 90d")

    static let verb = Verb(
        "runs", "list earlier runs, newest first, or remove old ones",
        discussion: [
            "--prune removes old runs with every name in them, permanently. It keeps runs that "
                + "can be resumed, evidence files, and the fences that keep deleted data from "
                + "returning.",
            "--due lists the requests given to \"plan\", \"sweep\" and \"apply\" with "
                + "--received-at and --regime. A request counts as fulfilled only when a later "
                + "deletion run about the same user and containers exits 0. A request that is open "
                + "when its runs are forgotten stays in the list until they are removed.",
        ],
        options: [limit, due, rehearsal, prune, CommonOptions.state] + CommonOptions.output,
        examples: [
            .init("cksweep runs -n 5", "the last five"),
            .init("cksweep runs --due", "open requests and their deadlines"),
            .init("cksweep runs --prune 90d", "keep three months"),
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folders = StateFolders(arguments, in: environment)
        let isRehearsal = arguments.has(Self.rehearsal)
        let folder = isRehearsal ? folders.rehearsals : folders.runs
        if arguments.has(Self.due) {
            let text = DueText(at: environment.wallClock.now)
            try await text.show(DueText.requests(in: folder, environment), console)
            return .done
        }
        let runs = try await Self.runs(in: folder, environment, arguments.number(Self.limit) ?? 20)
        if isRehearsal, !runs.isEmpty {
            let servers = Set(runs.compactMap { $0.server?.url }).sorted()
            console.begin(
                at: ServerFacts(url: servers.joined(separator: ", "), isRehearsal: true))
        }
        if let age = arguments.duration(Self.prune) {
            return try await Self.prune(olderThan: age, in: folder, console)
        }
        guard !runs.isEmpty else {
            let others =
                isRehearsal
                ? [] : try await Self.runs(in: folders.rehearsals, environment, 1)
            console.note(
                "No runs in \(folder)."
                    + (others.isEmpty ? "" : " \"runs --rehearsal\" lists the rehearsals."))
            return .done
        }
        for run in runs { console.event(Self.event(run)) }
        console.result(RunsText(runs).lines(console.style).joined(separator: "\n"))
        return .done
    }

    private static func prune(
        olderThan age: Duration, in folder: String, _ console: Console
    ) async throws(CommandFailure) -> VerbResult {
        let environment = console.environment
        let time = environment.wallClock.now.advanced(by: .zero - age)
        var runs: [String] = []
        if environment.files.facts(folder) != nil {
            let forgetter = RunForgetter(stateFolder: folder, wallClock: environment.wallClock)
            do throws(JournalError) {
                runs = try await forgetter.prune(before: time)
                await forgetter.close()
            } catch {
                await forgetter.close()
                throw CommandFailure(error)
            }
        }
        console.event(
            Event(
                "pruned",
                [
                    .init("before", time.iso8601),
                    .init("runs", .list(runs.map { .text($0) })),
                ]))
        console.result([
            runs.isEmpty
                ? "No run ended before \(time.iso8601)."
                : "REMOVED: \(Counts.some(runs.count, "run")) that ended before \(time.iso8601)."
        ])
        return .done
    }

    private static func runs(
        in folder: String, _ environment: Environment, _ limit: Int
    ) async throws(CommandFailure) -> [SweepHistory.Entry] {
        guard environment.files.facts(folder) != nil else { return [] }
        return try await RunFinder.all(in: folder, limit: limit)
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
                .init("canResume", run.canResume), .init("forgotten", run.isForgotten),
                .init("nextLook", run.watch?.next?.iso8601),
                .init("watchedUntil", run.watch?.until.iso8601),
            ])
    }
}
