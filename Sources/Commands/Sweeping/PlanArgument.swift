import CommandTable

/// A plan file on the command line.
enum PlanArgument {
    static let positional = Positional(
        Option.Value("PLAN", .file), .one, "a plan written by \"plan -o\"")

    /// Refuses what is not there or not a file.
    static func check(_ path: String, in environment: Environment) throws(CommandFailure) {
        guard let file = environment.files.facts(path) else {
            throw CommandFailure(.usage, "the plan \(path) is not there")
        }
        guard file.isFile else { throw CommandFailure(.usage, "the plan \(path) is not a file") }
    }
}
