import CloudCommandLine
import CommandLine

/// Gives back access to what the person has in every container.
struct UnrestrictCommand: Command {
    static let verb = Verb(
        "unrestrict", "restore access to a user's data",
        discussion: [
            "Ends the restriction of \"restrict\" or --freeze: apps can use the user's data in "
                + "these containers again, and devices can upload again what was deleted. Asks for "
                + "a phrase first; without a terminal the answer is no (exit 3). Exit 12: access "
                + "was restored, but this was not added to the evidence of the run."
        ],
        positionals: [AccessVerb.run],
        options: [AccessVerb.approve] + CommonOptions.scope + CommonOptions.lookPace
            + CommonOptions.output,
        examples: [.init("cksweep unrestrict last", "after the prompt")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        try await AccessVerb.carryOut(.unrestrict, asks: true, arguments, in: environment)
    }
}
