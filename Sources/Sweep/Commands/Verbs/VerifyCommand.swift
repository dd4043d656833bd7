import CloudCommandLine
import CloudModel
import CommandLine

/// A fresh look at everything in scope.
struct VerifyCommand: Command {
    static let verb = Verb(
        "verify", "rescan everything in scope and report what remains",
        discussion: [
            "Scans until two consecutive passes agree. Exit 0 means that nothing remains except "
                + "what a rule keeps, 6 that something does. Deletes nothing: its client cannot."
        ],
        positionals: [
            Positional(
                .known("RUN", .run), .optional,
                "a run over the same containers, or \"last\": also check that what it deleted "
                    + "is absent and what it kept is present")
        ],
        options: [SweepOptions.verifyPause, SweepOptions.publicUser] + CommonOptions.scope
            + CommonOptions.lookPace
            + CommonOptions.output,
        examples: [.init("cksweep verify -c Containers/app.json", "is everything deleted?")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await StateFolders(arguments, in: environment).check(arguments.positionals.first)
        let session = try SweepSession(arguments, in: environment)
        let run = try await RunFinder.find(
            arguments.positionals.first, in: session.stateFolder,
            last: { !["plan", "verify", "export", "watch"].contains($0.verb) })
        let report = await session.run { sweep, session in
            await sweep.verify(run: run) {
                ReadOnlyDatabase(session.connection.database(at: $0))
            }
        }
        return session.finish(report)
    }
}
