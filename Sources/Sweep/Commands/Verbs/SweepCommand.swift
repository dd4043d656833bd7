import CloudCommandLine
import CommandLine
import SweepEngine

/// The full "delete my data": plan, question, deletion, verification.
struct SweepCommand: Command {
    static let verb = Verb(
        "sweep", "delete everything in scope: plan, ask, delete, verify",
        discussion: [
            "Lists everything an app stores about the signed-in user in every container of the "
                + "list, shows it, asks for a phrase, deletes, and scans again until two "
                + "consecutive passes find nothing. Exit 0 means exactly that. Local donations "
                + "linked to these containers are deleted first.",
            "If one page, zone or container cannot be listed, nothing is deleted (exit 4). With "
                + "--allow-partial it continues and exits 5 at best.",
            "Without a terminal the answer to the prompt is no. Automation runs \"plan\", has "
                + "its digest approved, and passes it with --approve: then exactly that plan is "
                + "executed from the state folder, as by \"apply\".",
            "--export-first exports everything in scope to a folder, as \"export\" does, reads "
                + "it again, and deletes only if it is complete. Changes between the export and the "
                + "deletion are not in it.",
            FollowUp.about,
        ],
        options: [
            CommonOptions.approve, SweepOptions.exportFirst, CommonOptions.allowPartial,
            SweepOptions.verifyPause, FollowUp.freeze,
        ] + RequestOptions.all + [SweepOptions.publicUser]
            + CommonOptions.scope + CommonOptions.pace + CommonOptions.output,
        examples: [
            .init("cksweep sweep -c Containers/app.json", "the main job"),
            .init("cksweep sweep --json-into run.jsonl", "with a record for programs"),
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        if let digest = arguments.text(CommonOptions.approve) {
            try await StateFolders(arguments, in: environment).check(plan: digest)
        }
        let session = try SweepSession(arguments, in: environment)
        let needed = session.list.approvals.count
        guard needed == 0 else {
            throw CommandFailure(
                .refused,
                "\(session.list.file) requires \(Counts.some(needed, "approval")), and only a "
                    + "plan file can be signed",
                remedy: "\"cksweep plan -o FILE\", \"cksweep plan sign\", \"cksweep apply FILE\"")
        }
        if let digest = arguments.text(CommonOptions.approve) {
            return try await carryOut(digest, session, environment)
        }
        let folder = arguments.text(SweepOptions.exportFirst).map { environment.files.absolute($0) }
        let ended = try await session.erase { sweep, session in
            await sweep.run(
                exportingFirst: folder, on: { session.connection.database(at: $0) },
                confirm: { await session.confirm($0) })
        }
        return session.finish(ended)
    }

    /// Carries out the plan of this digest, which an earlier `plan` left in the state folder.
    private func carryOut(
        _ digest: String, _ session: SweepSession, _ environment: Environment
    ) async throws(CommandFailure) -> VerbResult {
        let history = SweepHistory(stateFolder: session.stateFolder)
        let runs: [SweepHistory.Entry]
        do {
            runs = try await history.runs()
        } catch {
            throw CommandFailure(
                .internalError, "the runs in \(session.stateFolder) cannot be read: \(error)")
        }
        // The plan of a sweep that nobody approved counts too: its digest was told.
        let known = runs.filter { $0.planDigest == digest }
        guard let planned = known.first(where: { $0.verb == "plan" }) ?? known.first
        else {
            throw CommandFailure(
                .refused, "no plan in \(session.stateFolder) has the approved digest",
                remedy: "run \"cksweep plan\" with the same --state, and approve its digest")
        }
        let path = session.stateFolder + "/\(planned.runID).plan"
        let folder = arguments.text(SweepOptions.exportFirst).map { environment.files.absolute($0) }
        let ended = try await session.erase { sweep, session in
            do {
                try await sweep.exportPlan(run: planned.runID, to: path)
            } catch {
                return SweepReport(
                    .short(.internalError, "cannot read the plan: \(error)"))
            }
            return await sweep.apply(
                planFile: path, afterExport: folder,
                on: { session.connection.database(at: $0) },
                confirm: { await session.confirm($0) })
        }
        environment.files.remove(path)
        return session.finish(ended)
    }
}
