import CommandLine
import DeletionPlanning
import SweepEngine

/// A plan file on the command line.
enum PlanArgument {
    static let positional = Positional(
        Option.Value("PLAN", .file), .one, "a plan written by \"plan -o\"")

    static let oneOrTwo = Positional(
        Option.Value("PLAN", .file), .some,
        "a plan written by \"plan -o\"; two: how they differ")

    /// Refuses what is not there or not a file.
    static func check(_ path: String, in environment: Environment) throws(CommandFailure) {
        guard let file = environment.files.facts(path) else {
            throw CommandFailure(.usage, "the plan \(path) does not exist")
        }
        guard file.isFile else { throw CommandFailure(.usage, "the plan \(path) is not a file") }
    }

    /// What a plan says of itself, after the whole file was checked, each line handed on.
    static func read(
        _ path: String, in environment: Environment,
        _ visit: (PlanLine) throws(PlanFileError) -> Void = { (_) throws(PlanFileError) in }
    ) throws(CommandFailure) -> PlanFacts {
        try check(path, in: environment)
        do throws(PlanFileError) {
            return try PlanFile.read(environment.files.absolute(path), visit)
        } catch {
            throw CommandFailure(
                error.isTampering ? .refused : .usage, error.text(file: path))
        }
    }
}
