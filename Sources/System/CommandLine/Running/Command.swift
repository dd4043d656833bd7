/// A verb that can be carried out.
package protocol Command: Sendable {
    static var verb: Verb { get }
    /// Takes what was typed; checks what the table alone cannot.
    init(arguments: Arguments) throws(UsageError)
    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult
}
