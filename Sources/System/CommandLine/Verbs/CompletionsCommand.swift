/// Prints a completion script.
package struct CompletionsCommand: Command {
    package static let verb = Verb(
        "completions", "print a completion script for a shell",
        positionals: [
            Positional(.choice(CompletionScript.allCases.map { $0.rawValue }), .one, "the shell")
        ],
        examples: [
            .init("source <(PROGRAM completions bash)", "for this bash"),
            .init("PROGRAM completions fish | source", "for this fish"),
        ])
    private let script: CompletionScript

    package init(arguments: Arguments) throws(UsageError) {
        guard let script = arguments.positionals.first.flatMap({ CompletionScript(rawValue: $0) })
        else { throw UsageError("\"completions\" needs a shell") }
        self.script = script
    }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        environment.output.write(script.text(for: environment.program.name))
        return .done
    }
}
