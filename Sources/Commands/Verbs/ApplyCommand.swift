import CloudModel
import CommandTable

/// Deletes exactly what a plan names, then verifies.
struct ApplyCommand: Command {
    static let verb = Verb(
        "apply", "delete exactly what a plan names, then verify",
        discussion: [
            "A plan is good once, for the user, containers and environment it was made for, until it "
                + "expires, and only while nothing more is there than it names; otherwise apply "
                + "refuses (exit 3) and deletes nothing.",
            "Before anything is deleted, containers, environment, user, counts and dates are shown "
                + "and a phrase must be typed. Without a terminal the answer is no; --approve with "
                + "the plan's digest is the yes of an automation. Where the list asks for "
                + "approvals, as many of its approvers must have signed the plan besides.",
            "A plan that was made with --export-first is carried out with --export-first and the same "
                + "folder only: its files are read again, and have to be just what they were.",
            FollowUp.about,
        ],
        positionals: [PlanArgument.positional],
        options: [
            CommonOptions.approve, SweepOptions.exportFirst, CommonOptions.allowPartial,
            SweepOptions.verifyPause, FollowUp.freeze,
        ] + RequestOptions.all + [SweepOptions.publicUser]
            + CommonOptions.scope + CommonOptions.pace + CommonOptions.output,
        examples: [.init("cksweep apply app.plan", "carry out a plan, after the question")])
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
