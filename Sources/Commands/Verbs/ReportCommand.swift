import CloudModel
import CommandTable
import SweepEngine

/// Shows the report of an earlier run.
struct ReportCommand: Command {
    private static let form = Option(
        "as", value: .choice(["text", "json", "html", "csv"]),
        "the form (default text; html and csv are for a later version)")

    static let verb = Verb(
        "report", "show the report of an earlier run",
        positionals: [
            Positional(.text("RUN"), .one, "a run's ID, its beginning, or \"last\"")
        ],
        options: [form, CommonOptions.state] + CommonOptions.output,
        examples: [
            .init("cksweep report last", "the newest run"),
            .init("cksweep report last --as json", "the same for programs, as one object"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if let form = arguments.text(Self.form), form == "html" || form == "csv" {
            throw UsageError(
                "reports as \(form) are not available in this version", remedy: "use text or json")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let (folder, run) = try await StateFolders(arguments, in: environment)
            .find(arguments.positionals.first ?? "")
        let report: SweepReport?
        do {
            report = try await SweepHistory(stateFolder: folder).report(run: run)
        } catch {
            throw CommandFailure(.internalError, "the run \(run) cannot be read: \(error)")
        }
        guard let report else {
            throw CommandFailure(.usage, "the run \(run) has no report: it has not ended")
        }
        let isObject = arguments.text(Self.form) == "json"
        if let server = report.server { console.begin(at: server, marksText: !isObject) }
        console.event { report.jsonLine($0) }
        if isObject {
            console.result(String(decoding: report.json(pretty: true), as: UTF8.self))
        } else {
            console.result(ReportText(report, console.style).text)
        }
        return .done
    }
}
