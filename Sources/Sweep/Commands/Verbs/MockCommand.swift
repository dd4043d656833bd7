package import CommandLine
import FileSystem
import Host

/// Runs `cloudkit-mock`, the mock server, which is a program of its own.
package struct MockCommand: Command {
    /// The name of that program.
    static let program = "cloudkit-mock"

    package static let verb = Verb(
        "mock", "run \(program), the mock server for rehearsals and tests",
        discussion: [
            "Everything after the verb goes to \(program), the one next to this program or else on "
                + "PATH: \"cksweep mock exec\" is \"\(program) exec\"."
        ],
        positionals: [Positional(.text("ARG"), .rest, "arguments; \"help\" lists the verbs")],
        examples: [
            .init("cksweep mock exec -- cksweep plan --rehearsal", "rehearse a plan"),
            .init("cksweep mock help", "all of its verbs"),
        ])
    private let arguments: Arguments

    package init(arguments: Arguments) { self.arguments = arguments }

    package func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let file = try Self.file(in: environment)
        do throws(FileError) {
            try environment.processes.become(
                [file] + arguments.command, variables: environment.variables)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    /// The path of that program.
    ///
    /// - Throws: That it is not installed, and how to install it.
    package static func file(
        in environment: Environment, folder: String? = OwnProgram.folder
    ) throws(CommandFailure) -> String {
        let path = environment.variable("PATH")
        guard let file = OwnProgram.companion(program, in: folder, path: path) else {
            throw CommandFailure(
                .usage, "\(program) is neither next to cksweep nor on PATH",
                remedy: "install it, or build it with \"swift build --product \(program)\"")
        }
        return file
    }
}
