import Basics
import CommandLine
import Configuration
import FileSystem
import MockServer

/// A rehearsal: the mock server, a fixture, a full sweep over TLS, and a look at what is left.
struct DemoCommand: Command {
    private static let keep = Option("keep", "keep the demo's folder")

    static let verb = Verb(
        "demo", "rehearse a full sweep against the mock server",
        discussion: [
            "Starts the bundled mock server on a free port, loads two users' data, sweeps one "
                + "of them over TLS through the ordinary verbs, with faults, and then asks the "
                + "server what is left. Exit 0 only if nothing of the one user and everything of "
                + "the other is left. Touches nothing outside a temporary folder."
        ],
        options: [keep] + CommonOptions.output,
        examples: [.init("cksweep demo", "watch a sweep")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let base = environment.variable("TMPDIR") ?? "/tmp"
        let folder = "\(ServerAddress.trimmed(base))/cksweep-demo-\(environment.processes.ownID)"
        if !arguments.has(Self.keep) {
            // The demonstration goes on meanwhile, and may put something in again.
            environment.signals.beforeEnd { environment.files.removeFolderForGood(folder) }
        }
        do throws(FileError) {
            try environment.files.makeFolder(folder)
        } catch {
            throw CommandFailure(error)
        }
        defer {
            environment.signals.beforeEnd(nil)
            if arguments.has(Self.keep) {
                console.note("\nThe demo's folder is \(folder)")
            } else {
                environment.files.removeFolder(folder)
            }
        }
        var configuration = MockServerConfiguration(stateFolder: "\(folder)/mock")
        configuration.users = [DemoScript.subject, DemoScript.bystander]
        let server = try RunningMockServer(configuration, clock: environment.wallClock)
        let run = DemoRun(console, folder: folder, server: server, handedOn: handedOn)
        let result: Result<ExitStatus, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await run.run())
        } catch {
            result = .failure(error)
        }
        server.stop()
        try await server.wait()
        return .status(try result.get())
    }

    /// Output options that the demonstration's verbs get too.
    private var handedOn: [String] {
        var words: [String] = []
        for option in [CommonOptions.json, CommonOptions.quiet] where arguments.has(option) {
            words.append("--\(option.name)")
        }
        if let color = arguments.text(CommonOptions.color) { words += ["--color", color] }
        return words
    }
}
