import Basics
import CommandLine
import Configuration
import FileSystem
import Host

/// A rehearsal: the mock server, a fixture, a full sweep over TLS, and a look at what is left.
struct DemoCommand: Command {
    private static let keep = Option("keep", "keep the demo's folder")
    /// Set in the process that the mock server was started for: the folder of the demonstration.
    private static let folderVariable = "CKSWEEP_DEMO_FOLDER"

    static let verb = Verb(
        "demo", "rehearse a full sweep against the mock server",
        discussion: [
            "Starts cloudkit-mock on a free port, loads two users' data, sweeps one of them over "
                + "TLS through the ordinary verbs, with faults, and then asks the server what is "
                + "left. Exit 0 only if nothing of the one user and everything of the other is "
                + "left. Touches nothing outside a temporary folder."
        ],
        options: [keep] + CommonOptions.output,
        examples: [.init("cksweep demo", "watch a sweep")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        if let folder = environment.variable(Self.folderVariable) {
            let console = try Console(arguments, in: environment)
            let run = try DemoRun(console, folder: folder, handedOn: handedOn)
            return .status(try await run.run())
        }
        let base = environment.variable("TMPDIR") ?? "/tmp"
        let folder = "\(ServerAddress.trimmed(base))/cksweep-demo-\(environment.processes.ownID)"
        if !arguments.has(Self.keep) {
            // Where a signal comes that does not go to the program under way.
            environment.signals.beforeEnd { environment.files.removeFolderForGood(folder) }
        }
        let result: Result<VerbResult, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await runAtServer(folder, in: environment))
        } catch {
            result = .failure(error)
        }
        if arguments.has(Self.keep) {
            try Console(Arguments(), in: environment).note("\nThe demo's folder is \(folder)")
        } else {
            environment.files.removeFolder(folder)
            environment.signals.beforeEnd(nil)
        }
        return try result.get()
    }

    /// Runs this verb once more, as a program that `cloudkit-mock exec` has started a server for.
    private func runAtServer(
        _ folder: String, in environment: Environment
    ) async throws(CommandFailure) -> VerbResult {
        guard let own = OwnProgram.path else {
            throw CommandFailure(.usage, "the program's own file is unknown: is /proc mounted?")
        }
        let mock = try MockCommand.file(in: environment)
        var variables = environment.variables
        variables[Self.folderVariable] = folder
        let words = [
            mock, "exec", "--quiet", "--state", "\(folder)/mock", "--user", DemoScript.subject,
            "--user", DemoScript.bystander, "--seed", "\(folder)/demo.json", "--", own, "demo",
        ]
        do throws(FileError) {
            try environment.files.makeFolder(folder)
            try environment.files.write(
                PackageResources.demo_json, to: "\(folder)/demo.json", replacing: true)
            // Signals go to it; this process stays to remove the folder.
            let ended = try await ChildProgram(in: environment).run { () throws(FileError) in
                try environment.processes.start(words + outputWords, variables: variables)
            }
            return .child(ended.status)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The output options that were given.
    private var outputWords: [String] {
        CommonOptions.output.filter { arguments.has($0) }.flatMap { option in
            ["--\(option.name)"]
                + (option.value == nil ? [] : arguments.text(option).map { [$0] } ?? [])
        }
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
