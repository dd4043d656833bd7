import CloudCommandLine
import CloudModel
import CommandLine
import SweepEngine

/// Looks and plans; deletes nothing.
struct PlanCommand: Command {
    private static let into = Option(
        "output", short: "o", value: .file, "write the plan to FILE, for \"apply\"")
    private static let detailed = Option(
        "detailed-exitcode", "exit 10 if there is something to delete")

    static let verb = Verb(
        "plan", "show what a sweep would delete",
        discussion: [
            "Lists everything in scope and prints the coverage map. Deletes nothing: its client "
                + "cannot send a modifying request. If something in scope cannot be listed, it "
                + "exits 4.",
            "--not-before is part of the plan: \"apply\" refuses it before that time, and a day "
                + "later it has expired.",
            "--export-first exports everything in scope to a folder, as \"export\" does, and "
                + "binds the plan to that export.",
        ],
        options: [into, detailed, SweepOptions.exportFirst, RequestOptions.notBefore]
            + RequestOptions.all + [SweepOptions.publicUser] + CommonOptions.scope
            + CommonOptions.lookPace
            + CommonOptions.output,
        examples: [
            .init("cksweep plan -c Containers/app.json -o app.plan", "scan, and keep the plan"),
            .init(
                "cksweep plan --received-at 2026-01-31 --regime gdpr --not-before 7d -o app.plan",
                "with its deadline, and a week to object"),
            .init("cksweep plan --detailed-exitcode -q", "is there anything left? (exit 10: yes)"),
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let into = arguments.text(Self.into).map { environment.files.absolute($0) }
        if let into, environment.files.facts(into) != nil {
            throw CommandFailure(.usage, "\(into) exists already and is not overwritten")
        }
        if let into, let slash = into.lastIndex(of: "/"), slash > into.startIndex {
            let folder = String(into[..<slash])
            guard environment.files.facts(folder)?.isFolder == true else {
                throw CommandFailure(.usage, "the folder \(folder) does not exist")
            }
        }
        let session = try SweepSession(arguments, in: environment)
        let folder = arguments.text(SweepOptions.exportFirst).map { environment.files.absolute($0) }
        let report = await session.run { sweep, session in
            let report = await sweep.plan(exportingFirst: folder) {
                ReadOnlyDatabase(session.connection.database(at: $0))
            }
            // A plan is worth a file only when the journal has the run's end, too.
            guard let into, let run = report.runID, report.plan != nil,
                report.status != .internalError, report.status != .refused
            else { return report }
            do {
                try await sweep.exportPlan(run: run, to: into)
            } catch {
                return SweepReport(
                    .short(.internalError, "the plan could not be written to \(into): \(error)"),
                    runID: run)
            }
            return report
        }
        let result = session.finish(report)
        if report.status == .somethingToDelete {
            if let into { tell(into, exportedTo: folder, session) }
            return arguments.has(Self.detailed) ? result : .done
        }
        return result
    }

    /// Says how to carry out the plan that was written.
    private func tell(_ plan: String, exportedTo folder: String?, _ session: SweepSession) {
        guard !session.console.isQuiet else { return }
        let needed = session.list.approvals.count
        if needed > 0 {
            session.console.note(
                "\(Counts.some(needed, "approver")) must sign it first, with \"cksweep plan sign\"."
            )
        }
        var words = ["apply", plan]
        if let folder { words += ["--\(SweepOptions.exportFirst.name)", folder] }
        if let user = arguments.text(SweepOptions.publicUser) {
            words += ["--\(SweepOptions.publicUser.name)", user]
        }
        session.console.environment.say(session.step("To execute it", words))
    }
}
