/// Not yet.
package struct MockResetCommand: Command {
    package static let verb = Verb(
        "mock reset", "empty a running mock server", options: CommonOptions.output)
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        throw CommandFailure(.internalError, "not yet")
    }
}
