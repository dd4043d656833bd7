/// Prints a completion script.
package struct CompletionsCommand: Command {
    package static let verbName = "completions"
    package static let verb = Verb(
        verbName, "print a completion script for a shell",
        positionals: [
            Positional(.choice(Completions.Shell.allCases.map { $0.rawValue }), .one, "the shell")
        ],
        examples: [
            .init("source <(cksweep completions bash)", "for this bash"),
            .init("cksweep completions fish | source", "for this fish"),
        ])
    private let shell: Completions.Shell

    package init(_ arguments: Arguments) throws(UsageError) {
        guard let shell = arguments.positionals.first.flatMap({ Completions.Shell(rawValue: $0) })
        else { throw UsageError("\"completions\" needs a shell") }
        self.shell = shell
    }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        environment.output.write(Completions(verbs: VerbTable.verbs).script(for: shell))
        return .done
    }
}
