import CommandLine
import Configuration
import FileSystem
import Host
import MockServer

/// Runs a program in a world where Apple's servers are a mock server.
struct AppleCommand: Command {
    private static let host = Option(
        "host", value: .text("HOST"), repeats: true,
        "another host name, besides Apple's, that resolves to the server")
    /// What this verb decides by itself.
    private static let decided = [
        ServeOptions.port, ServeOptions.name, ServeOptions.cert,
        ServeOptions.key,
    ]
    private static let handedOn =
        ServeOptions.all.filter { !decided.contains($0) } + [ExecCommand.asUser]

    static let verb = Verb(
        "apple", "run an unmodified program with a mock server in place of Apple's hosts",
        discussion: [
            "The program runs unmodified: it finds a mock server at "
                + AppleWorld.hosts.prefix(2).joined(separator: ", ")
                + " and Apple's other host names, on port 443, and trusts its certificate. It "
                + "has a network, a hosts file and certificate authorities of its own; "
                + "nothing is changed outside. The variables of \"cloudkit-mock exec\" are set too, "
                + "and those that make curl, Node, Python, Go, Java and others trust the "
                + "authority.",
            "Signals are passed to the program, and its exit status is returned. Needs Linux "
                + "with user namespaces, or root; if the kernel refuses, prints the reason and "
                + "exits 3.",
        ],
        positionals: [Positional(.text("CMD"), .command, "the program and its arguments")],
        options: [host] + handedOn + CommonOptions.output,
        examples: [
            .init("cloudkit-mock apple --any-container -- node app.js", "an unmodified app"),
            .init(
                "cloudkit-mock apple --seed demo.json --api-token TOKEN --web-token ann=WEB -- ./test",
                "with the tokens that the test contains"),
        ],
        sections: [ServeOptions.switches])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        // What is wrong with the options is said before anything is made.
        _ = try ServeOptions.configuration(arguments, in: environment)
        let base = environment.variable("TMPDIR") ?? "/tmp"
        let folder =
            "\(ServerAddress.trimmed(base))/cloudkit-mock-apple-\(environment.processes.ownID)"
        let world = AppleWorld(
            folder: folder, names: arguments.texts(Self.host), environment.files)
        environment.signals.beforeEnd { environment.files.removeFolderForGood(folder) }
        defer {
            environment.signals.beforeEnd(nil)
            environment.files.removeFolder(folder)
        }
        let mounts = try world.prepare(now: environment.wallClock.now.milliseconds / 1000)
        console.detail("Apple's host names resolve to a mock server of \(folder)")
        do throws(ApartError) {
            let ended = try await ChildProgram(in: environment).run {
                () throws(ApartError) in
                try environment.processes.startApart(
                    inner(world), variables: world.variables(over: environment.variables),
                    mounts: mounts)
            }
            return .child(ended.status)
        } catch {
            throw CommandFailure(
                .refused, "cannot create a network of its own for the program: \(error.message)",
                remedy: "run it as root, allow user namespaces (in a container: --privileged, or "
                    + "--cap-add SYS_ADMIN), or follow the recipe with a hosts file in the mock "
                    + "server's article ApplesNames")
        }
    }

    /// The arguments of the same program in there: a server at Apple's names, and the program beside it.
    private func inner(_ world: AppleWorld) -> [String] {
        var words = ["cloudkit-mock", "exec", "--state", world.folder, "--port", "443"]
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
