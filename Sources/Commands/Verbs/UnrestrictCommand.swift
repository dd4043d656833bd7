import CommandTable

/// Gives back access to what the person has in every container.
struct UnrestrictCommand: Command {
    static let verb = Verb(
        "unrestrict", "give access to a person's data back",
        discussion: [
            "Takes back what \"restrict\" or --freeze has asked the service for: apps use again what the "
                + "person has in these containers, and devices may write again what was deleted. Asks "
                + "for a phrase first; without a terminal the answer is no (exit 3). "
                + "Exit 12: it is done, and the evidence of the run lacks it."
        ],
        positionals: [AccessVerb.run],
        options: [AccessVerb.approve] + CommonOptions.scope + CommonOptions.lookPace
            + CommonOptions.output,
        examples: [.init("cksweep unrestrict last", "after the question")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await AccessVerb.carryOut(.unrestrict, asks: true, arguments, in: environment)
    }
}
