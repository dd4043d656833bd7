/// Not yet.
package struct MockJournalCommand: Command {
    package static let verb = Verb(
        "mock journal", "show the requests a mock server has seen", options: CommonOptions.output)
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        throw CommandFailure(.internalError, "not yet")
    }
}
