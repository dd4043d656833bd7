import CloudCommandLine
import CommandLine

/// Deletes exactly what a plan names, then verifies.
struct ApplyCommand: Command {
    static let verb = Verb(
        "apply", "delete exactly what a plan names, then verify",
        discussion: [
            "A plan can be used once, for the user, containers and environment it was made for, "
                + "until it expires, and only while nothing exists that it does not name; otherwise "
                + "apply refuses (exit 3) and deletes nothing.",
            "Before the deletion, apply shows containers, environment, user, counts and dates, "
                + "and asks for a phrase. Without a terminal the answer is no; automation passes "
                + "the plan's digest with --approve. If the list requires approvals, that many of "
                + "its approvers must have signed the plan as well.",
            "A plan made with --export-first needs --export-first with the same folder: its "
                + "files are read again and must be unchanged.",
            FollowUp.about,
        ],
        positionals: [PlanArgument.positional],
        options: [
            CommonOptions.approve, SweepOptions.exportFirst, CommonOptions.allowPartial,
            SweepOptions.verifyPause, FollowUp.freeze,
        ] + RequestOptions.all + [SweepOptions.publicUser]
            + CommonOptions.scope + CommonOptions.pace + CommonOptions.output,
        examples: [.init("cksweep apply app.plan", "execute a plan, after the prompt")])
    private let arguments: Arguments
    private let plan: String

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        plan = arguments.positionals.first ?? ""
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try PlanArgument.check(plan, in: environment)
        let session = try SweepSession(arguments, in: environment)
        let path = environment.files.absolute(plan)
        let folder = arguments.text(SweepOptions.exportFirst).map { environment.files.absolute($0) }
        let ended = try await session.erase { sweep, session in
            await sweep.apply(
                planFile: path, afterExport: folder,
                on: { session.connection.database(at: $0) },
                confirm: { await session.confirm($0) })
        }
        return session.finish(ended)
    }
}
