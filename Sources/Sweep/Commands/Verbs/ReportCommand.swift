import CommandLine
import SweepEngine

/// Shows the report of an earlier run: to the operator as text and JSON, to others as a page and a table
/// without names.
struct ReportCommand: Command {
    private static let form = Option(
        "as", value: .choice(["text", "json", "html", "csv"]), "format (default text)")
    private static let caseName = Option(
        "case", value: .text("REF"), "your reference for the case, printed on the report")

    static let verb = Verb(
        "report", "show the report of an earlier run",
        discussion: [
            "Text and JSON are for the operator: they name zones and failures. A page (html) "
                + "and a table (csv) are for others: users and zones appear as the pseudonyms of "
                + "the evidence, and no record name or message of the service is included. Neither "
                + "is signed; evidence is.",
            "The page is one file without external resources, and prints on one sheet.",
        ],
        positionals: [
            Positional(.known("RUN", .run), .one, "ID of a run, the start of one, or \"last\"")
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
            throw CommandFailure(.usage, "the run \(run) has no report: it has not finished")
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
