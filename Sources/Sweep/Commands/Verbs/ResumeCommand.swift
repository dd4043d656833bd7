import CloudCommandLine
import CommandLine

/// Goes on with an interrupted run.
struct ResumeCommand: Command {
    static let verb = Verb(
        "resume", "continue an interrupted run",
        discussion: [
            "Scans again, deletes what the approved plan names and is still there, and "
                + "verifies. Needs no new approval: the plan was approved when the run began.",
            FollowUp.about,
        ],
        positionals: [
            Positional(
                .known("RUN", .run), .optional, "the run (default: the newest that can be resumed)")
        ],
        options: [SweepOptions.verifyPause, FollowUp.freeze, SweepOptions.publicUser]
            + CommonOptions.scope
            + CommonOptions.pace
            + CommonOptions.output,
        examples: [.init("cksweep resume -c Containers/app.json", "the newest interrupted run")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await StateFolders(arguments, in: environment)
            .check(arguments.positionals.first ?? "last")
        let session = try SweepSession(arguments, in: environment)
        let run = try await RunFinder.find(
            arguments.positionals.first, in: session.stateFolder, last: \.canResume)
        let ended = try await session.erase { sweep, session in
            await sweep.resume(run: run) { session.connection.database(at: $0) }
        }
        return session.finish(ended)
    }
}
