import CommandLine
import Configuration
import FileSystem
import Host

/// Runs a program where Apple's host names resolve to a mock server: `cloudkit-mock exec --apple`.
struct AppleRun {
    static let apple = Option(
        "apple", "have Apple's host names resolve to the server, for a program that is not changed")
    static let host = Option(
        "host", value: .text("HOST"), repeats: true,
        "another host name that resolves to the server (with --apple)")
    /// The hosts that were named, for the program within, which prints the command that repeats it; empty: only
    /// Apple's.
    static let hostsVariable = "CLOUDKIT_MOCK_APPLE_HOSTS"
    /// Options that this decides by itself.
    static let decided = [
        ServeOptions.port, ServeOptions.name, ServeOptions.cert, ServeOptions.key,
        AdminClient.state,
    ]

    let arguments: Arguments
    let console: Console

    func run() async throws(CommandFailure) -> VerbResult {
        let environment = console.environment
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
        var variables = world.variables(over: environment.variables)
        variables[Self.hostsVariable] = arguments.texts(Self.host).joined(separator: ",")
        let within = variables
        let mounts = try world.prepare(now: environment.wallClock.now.milliseconds / 1000)
        console.detail("Apple's host names resolve to a mock server of \(folder)")
        do throws(ApartError) {
            let ended = try await ChildProgram(in: environment).run {
                () throws(ApartError) in
                try environment.processes.startApart(
                    inner(world), variables: within, mounts: mounts)
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
        let passed = ExecCommand.verb.options.filter { $0 != Self.apple && $0 != Self.host }
        for option in passed where arguments.has(option) {
            if option.value == nil {
                words.append("--\(option.name)")
            } else {
                words += arguments.texts(option).map { "--\(option.name)=\($0)" }
            }
        }
        return words + ["--"] + arguments.command
    }
}
