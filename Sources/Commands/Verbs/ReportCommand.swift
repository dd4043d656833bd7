import CloudModel
import SweepEngine

/// Shows the report of an earlier run.
package struct ReportCommand: Command {
    private static let form = Option(
        "as", value: .choice(["text", "json", "html", "csv"]),
        "the form (default text; html and csv are for a later version)")

    package static let verbName = "report"
    package static let verb = Verb(
        verbName, "show the report of an earlier run",
        positionals: [
            Positional(.text("RUN"), .one, "a run's ID, its beginning, or \"last\"")
        ],
        options: [form, CommonOptions.state] + CommonOptions.output,
        examples: [
            .init("cksweep report last", "the newest run"),
            .init("cksweep report last --as json", "the same for programs, as one object"),
        ])
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if let form = arguments.text(Self.form), form == "html" || form == "csv" {
            throw UsageError(
                "reports as \(form) are not available in this version", remedy: "use text or json")
        }
    }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let folder = environment.stateFolder(arguments.text(CommonOptions.state))
        guard environment.files.facts(folder) != nil else {
            throw CommandFailure(.usage, "there are no runs in \(folder)")
        }
        let run = try await RunFinder.find(arguments.positionals.first, in: folder) ?? ""
        let report: SweepReport?
        do {
            report = try await SweepHistory(stateFolder: folder).report(run: run)
        } catch {
            throw CommandFailure(.internalError, "the run \(run) cannot be read: \(error)")
        }
        guard let report else {
            throw CommandFailure(.usage, "the run \(run) has no report: it has not ended")
        }
        let event = ReportEvents.event(report)
        console.event(event)
        if arguments.text(Self.form) == "json" {
            console.result(event.prettyText)
        } else {
            console.result(ReportText(report, console.style).text)
        }
        return .done
    }
}
