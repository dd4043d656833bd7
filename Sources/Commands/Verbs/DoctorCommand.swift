/// Not yet.
package struct DoctorCommand: Command {
    package static let verb = Verb(
        "doctor", "check that each container can be reached and swept",
        options: CommonOptions.output)
    private let arguments: Arguments

    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        throw CommandFailure(.internalError, "not yet")
    }
}
