/// Shows a plan, stale or not.
package struct ShowCommand: Command {
    private static let why = Option("why", "name the rule behind each kept item")

    package static let verb = Verb(
        "show", "show a plan, stale or not",
        positionals: [
            Positional(Option.Value("PLAN", .file), .one, "a plan written by \"plan -o\"")
        ],
        options: [why] + CommonOptions.output,
        examples: [.init("cksweep show app.plan --why", "what is kept, and by which rule")])
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        throw CommandFailure(.internalError, "not yet")
    }
}
