import CloudModel
import CommandTable
import Configuration
import FileSystem
import Host
import MockServer

/// Runs a program in a world where Apple's servers are a mock server.
struct MockAppleCommand: Command {
    private static let host = Option(
        "host", value: .text("HOST"), repeats: true,
        "a name besides Apple's that is to lead to the server")
    /// What this verb decides by itself.
    private static let decided = [
        MockServerOptions.port, MockServerOptions.name, MockServerOptions.cert,
        MockServerOptions.key,
    ]
    private static let handedOn =
        MockServerOptions.all.filter { !decided.contains($0) } + [MockExecCommand.asUser]

    static let verb = Verb(
        "mock apple", "run a program that takes a mock server for Apple's",
        discussion: [
            "The program runs unmodified: it finds a mock server at "
                + AppleWorld.hosts.prefix(2).joined(separator: ", ")
                + " and Apple's other names, on port 443, and trusts its certificate. It has a network "
                + "of its own, in which there is nothing else, and sees a hosts file and authorities of "
                + "its own; nothing is changed outside. The variables that \"mock exec\" sets are set "
                + "too, and those that lead curl, Node, Python, Go, Java and others to the authority.",
            "Signals go to the program, and its exit status is handed on. This needs Linux with user "
                + "namespaces, or root; where the kernel refuses, it says so and exits with 3.",
        ],
        positionals: [Positional(.text("CMD"), .command, "the program and its arguments")],
        options: [host] + handedOn + CommonOptions.output,
        examples: [
            .init("cksweep mock apple --any-container -- node app.js", "an app as it is"),
            .init(
                "cksweep mock apple --seed demo.json --api-token TOKEN --web-token ann=WEB -- ./test",
                "with the tokens that the test has written down"),
        ],
        sections: [MockServerOptions.switches])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        // What is wrong with the options is said before anything is made.
        _ = try MockServerOptions.configuration(arguments, in: environment)
        let base = environment.variable("TMPDIR") ?? "/tmp"
        let folder = "\(ServerAddress.trimmed(base))/cksweep-apple-\(environment.processes.ownID)"
        let world = AppleWorld(
            folder: folder, names: arguments.texts(Self.host), environment.files)
        environment.signals.beforeEnd { environment.files.removeFolderForGood(folder) }
        defer {
            environment.signals.beforeEnd(nil)
            environment.files.removeFolder(folder)
        }
        let mounts = try world.prepare(now: environment.wallClock.now.milliseconds / 1000)
        console.detail("Apple's names lead to a mock server of \(folder)")
        do throws(ApartError) {
            let ended = try await ChildProgram(environment: environment).run {
                () throws(ApartError) in
                try environment.processes.startApart(
                    inner(world), variables: world.variables(over: environment.variables),
                    mounts: mounts)
            }
            return .child(ended.status)
        } catch {
            throw CommandFailure(
                .refused, "no world of its own can be made for the program: \(error.message)",
                remedy: "run it as root, allow user namespaces (in a container: --privileged, or "
                    + "--cap-add SYS_ADMIN), or follow the recipe with a hosts file in the mock "
                    + "server's article ApplesNames")
        }
    }

    /// The arguments of the same program in there: a server at Apple's names, and the program beside it.
    private func inner(_ world: AppleWorld) -> [String] {
        var words = ["cksweep", "mock", "exec", "--state", world.folder, "--port", "443"]
        for name in world.names + ["localhost", "127.0.0.1", "::1"] { words += ["--name", name] }
        for option in Self.handedOn + CommonOptions.output where arguments.has(option) {
            if option.value == nil {
                words.append("--\(option.name)")
            } else {
                words += arguments.texts(option).map { "--\(option.name)=\($0)" }
            }
        }
        return words + ["--"] + arguments.command
    }
}
