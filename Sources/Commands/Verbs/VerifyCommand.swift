import CloudModel
import CommandTable

/// A fresh look at everything in scope.
struct VerifyCommand: Command {
    static let verb = Verb(
        "verify", "take a fresh look at everything in scope",
        discussion: [
            "Looks until two passes in a row agree. Exit 0 means that nothing is there but what a "
                + "rule keeps, 6 that something is. Deletes nothing, and has no way to."
        ],
        positionals: [
            Positional(
                .known("RUN", .run), .optional,
                "a run over the same containers, or \"last\": what it deleted must be gone, what it "
                    + "kept must be there")
        ],
        options: [SweepOptions.verifyPause, SweepOptions.publicUser] + CommonOptions.scope
            + CommonOptions.lookPace
            + CommonOptions.output,
        examples: [.init("cksweep verify -c Containers/app.json", "is it all gone?")])
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
