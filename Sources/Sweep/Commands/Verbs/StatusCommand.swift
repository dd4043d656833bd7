import CommandLine
import DeletionPlanning
import SweepEngine

/// Says in a line how much is open, and fails where something is due.
struct StatusCommand: Command {
    private static let failIfDueIn = Option(
        "fail-if-due-in", value: Option.Value("TIME", .duration),
        "exit 10 if a request is overdue or due within TIME, such as 7d")
    private static let rehearsal = Option(
        CommonOptions.rehearsal.name, "use the rehearsals, which are stored separately")

    static let verb = Verb(
        "status", "show how many requests are open, and the next deadline",
        discussion: [
            "Counts the requests that \"runs --due\" lists. With --fail-if-due-in it is a check "
                + "for a scheduler: 0 means nothing is due in that time, 10 that something is. Days "
                + "are UTC. Sends no request."
        ],
        options: [failIfDueIn, rehearsal, CommonOptions.state] + CommonOptions.output,
        examples: [.init("cksweep status --fail-if-due-in 7d", "every morning")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folders = StateFolders(arguments, in: environment)
        let isRehearsal = arguments.has(Self.rehearsal)
        let now = environment.wallClock.now
        let requests = try await DueText.requests(
            in: isRehearsal ? folders.rehearsals : folders.runs, environment)
        if isRehearsal, let server = requests.first?.server { console.begin(at: server) }
        let within = arguments.duration(Self.failIfDueIn)
        // Of a last day every hour counts: it is due from its beginning on.
        let limit = now.advanced(by: within ?? .zero)
        let due = requests.filter { within != nil && $0.request.daysLeft(at: limit) <= 0 }
        let overdue = requests.filter { $0.request.daysLeft(at: now) < 0 }
        console.event(
            Event(
                "status",
                [
                    .init("open", requests.count), .init("overdue", overdue.count),
                    .init("due", due.count),
                    .init("next", requests.first?.request.due.iso8601),
                ]))
        console.result(Self.line(requests, overdue: overdue.count))
        return due.isEmpty ? .done : .status(.somethingToDelete)
    }

    private static func line(_ requests: [DueRequest], overdue: Int) -> String {
        guard let first = requests.first else { return "No request is open." }
        let late = overdue > 0 ? ", \(overdue) OVERDUE" : ""
        return "\(Counts.some(requests.count, "request")) open\(late); first due "
            + "\(first.request.due.iso8601) (\(first.request.regime.rawValue))."
    }
}
