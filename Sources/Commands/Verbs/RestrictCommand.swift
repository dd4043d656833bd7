import CommandTable

/// Restricts access to what the person has in every container.
struct RestrictCommand: Command {
    static let verb = Verb(
        "restrict", "restrict access to a person's data, container by container",
        discussion: [
            "Asks the service to restrict access: from then on no app reads or changes what the person "
                + "has in these containers, so that no device writes back what was deleted. These are "
                + "Apple's access controls; the data itself is not touched. \"unrestrict\" gives it "
                + "back.",
            "While access is restricted nobody can look either: \"verify\" and \"watch\" cannot see "
                + "whether anything is there. Exit 0: every container says that it is done. 5: one "
                + "does not, and which. 12: it is done, and the evidence of the run lacks it.",
        ],
        positionals: [AccessVerb.run],
        options: CommonOptions.scope + CommonOptions.lookPace + CommonOptions.output,
        examples: [
            .init("cksweep restrict last", "and say so in the evidence of the newest run")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await AccessVerb.carryOut(.restrict, asks: false, arguments, in: environment)
    }
}
