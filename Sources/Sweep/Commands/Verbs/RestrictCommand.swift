import CloudCommandLine
import CommandLine

/// Restricts access to what the person has in every container.
struct RestrictCommand: Command {
    static let verb = Verb(
        "restrict", "restrict access to a user's data, container by container",
        discussion: [
            "Asks the service to restrict access: from then on no app can read or change the "
                + "user's data in these containers, so no device can upload again what was deleted. "
                + "These are Apple's access controls; the data itself is not changed. "
                + "\"unrestrict\" restores access.",
            "While access is restricted, \"verify\" and \"watch\" cannot scan either. Exit 0: "
                + "every container confirmed. 5: at least one did not; it is named. 12: confirmed, "
                + "but not added to the evidence of the run.",
        ],
        positionals: [AccessVerb.run],
        options: CommonOptions.scope + CommonOptions.lookPace + CommonOptions.output,
        examples: [
            .init("cksweep restrict last", "and record it in the evidence of the newest run")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await AccessVerb.carryOut(.restrict, asks: false, arguments, in: environment)
    }
}
