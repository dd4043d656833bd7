import CloudModel
import CommandTable
import SweepEngine

/// Shows the report of an earlier run: to the operator as text and JSON, to others as a page and a table
/// without names.
struct ReportCommand: Command {
    private static let form = Option(
        "as", value: .choice(["text", "json", "html", "csv"]), "the form (default text)")
    private static let caseName = Option(
        "case", value: .text("REF"), "what you call the case, printed on the report")

    static let verb = Verb(
        "report", "show the report of an earlier run",
        discussion: [
            "Text and JSON are the operator's own: they name zones, and what failed. A page (html) and "
                + "a table (csv) are for others: people and zones have the pseudonyms that evidence "
                + "has, and no record and no word of the service is in them. Neither is signed; "
                + "evidence is.",
            "The page is one file that asks for nothing from elsewhere, and prints on a sheet.",
        ],
        positionals: [
            Positional(.known("RUN", .run), .one, "a run's ID, its beginning, or \"last\"")
        ],
        options: [form, caseName, CommonOptions.state] + CommonOptions.output,
        examples: [
            .init("cksweep report last", "the newest run"),
            .init("cksweep report last --as json", "the same for programs, as one object"),
            .init("cksweep report last --as html --case DSR-117", "to hand over"),
        ])
    private let arguments: Arguments
    private let reference: CaseReference?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        reference = try arguments.text(Self.caseName).map { text throws(UsageError) in
            try CaseReference(text)
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let (folder, run) = try await StateFolders(arguments, in: environment)
            .find(arguments.positionals.first ?? "")
        let history = SweepHistory(stateFolder: folder)
        let reports: (own: SweepReport, redacted: RedactedReport)?
        do {
            reports = try await history.report(run: run, case: reference?.text)
        } catch {
            throw CommandFailure(.internalError, "the run \(run) cannot be read: \(error)")
        }
        guard let (report, redacted) = reports else {
            throw CommandFailure(.usage, "the run \(run) has no report: it has not ended")
        }
        let form = arguments.text(Self.form) ?? "text"
        if let server = report.server { console.begin(at: server, marksText: form == "text") }
        console.event { report.jsonLine($0) }
        switch form {
        case "json": console.result(String(decoding: report.json(pretty: true), as: UTF8.self))
        case "html": console.result(ReportPage(redacted).html)
        case "csv": console.result(ReportTable(redacted).csv)
        default: console.show(report)
        }
        return .done
    }
}
