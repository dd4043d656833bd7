import CloudModel
import SweepEngine

/// The full "delete my data": plan, question, deletion, verification.
package struct SweepCommand: Command {
    package static let verb = Verb(
        "sweep", "delete everything in scope: plan, ask, delete, verify",
        discussion: [
            "Lists everything an app keeps about the signed-in person in every container of the "
                + "list, shows it, asks for a phrase, deletes, and looks again until two passes in a "
                + "row find nothing. Exit 0 means just that.",
            "One page, zone or container that cannot be listed stops it before anything is deleted "
                + "(exit 4). --allow-partial goes on and never ends better than 5.",
            "Without a terminal the answer to the question is no; use \"plan -o\" and \"apply "
                + "--approve\", or --approve with the digest of the plan.",
        ],
        options: [CommonOptions.approve, CommonOptions.allowPartial, SweepOptions.verifyPause]
            + CommonOptions.scope + CommonOptions.pace + CommonOptions.output,
        examples: [
            .init("cksweep sweep -c Containers/app.json", "the main job"),
            .init("cksweep sweep --json-into run.jsonl", "with a record for programs"),
        ])
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let session = try SweepSession(arguments, in: environment)
        let report = await session.run { sweep, session in
            await sweep.run(
                on: { session.connection.database(at: $0) },
                confirm: { await session.confirm($0) })
        }
        return session.finish(report)
    }
}
