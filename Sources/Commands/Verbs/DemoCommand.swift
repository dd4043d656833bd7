/// Not yet.
package struct DemoCommand: Command {
    package static let verb = Verb(
        "demo", "rehearse a full sweep against the mock server", options: CommonOptions.output)
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        throw CommandFailure(.internalError, "not yet")
    }
}
