import Basics
import CommandLine
import Configuration
import FileSystem
import MockStore

/// Runs a program against a mock server of its own.
struct ExecCommand: Command {
    static let asUser = Option(
        "as", value: .known("NAME", .user), "user whose web token is set (default: the first user)")

    static let keepOnFail = Option(
        "keep-on-fail", value: .directory,
        "when the program fails, write state, journal and seed to DIR")

    static let matrix = Option(
        "matrix", "run the program once for each file of --faults, each time against a new server")

    static let requireFired = Option(
        "require-fired", "fail if a fault of --fault or --faults did not fire")

    static let verb = Verb(
        "exec", "run a program against a mock server of its own",
        discussion: [
            "Starts a server, sets CLOUDKIT_EMULATOR_URL, CLOUDKIT_EMULATOR_CA, "
                + "CLOUDKIT_EMULATOR_ADMIN_TOKEN, CLOUDKIT_EMULATOR_API_TOKEN, "
                + "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN and, for each user, "
                + "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_NAME, runs the program, stops the server, and "
                + "exits with the program's status. Signals go to the program.",
            "Nothing is left running: everything that the program has started ends with it, and "
                + "the program ends if this command is killed. On failure, prints the seed that "
                + "repeats the server's tokens, names and faults.",
            "With --check, prints the program's errors as a client of the service to standard "
                + "error at the end, and exits 7 if the program itself succeeded.",
            "Faults that did not fire are listed on standard error. With --require-fired the "
                + "exit code is then 6, if it would be 0 otherwise.",
            "With --matrix, runs the program once for each file of faults, against a new server "
                + "each time, and prints a table with the result of each run and the number of "
                + "faults that fired. The exit code is that of the first run that failed. A signal "
                + "ends the current run and skips the remaining ones; the exit code is then never "
                + "0.",
            "With --apple the program runs unmodified: it finds the server at "
                + AppleWorld.hosts.prefix(2).joined(separator: ", ")
                + " and Apple's other host names, on port 443, and trusts its certificate. It has "
                + "a network, a hosts file and certificate authorities of its own; nothing is "
                + "changed outside. The variables that make curl, Node, Python, Go, Java and "
                + "others trust the authority are set too. Needs Linux with user namespaces, or "
                + "root; if the kernel refuses, prints the reason and exits 3.",
            "With these variables set, cksweep itself uses that server and these tokens; the "
                + "list's own credentials are not sent. A list for another server then needs "
                + "--rehearsal.",
        ],
        positionals: [Positional(.text("CMD"), .command, "the program and its arguments")],
        options: ServeOptions.all
            + [
                asUser, matrix, requireFired, keepOnFail, AppleRun.apple, AppleRun.host,
                AdminClient.state,
            ]
            + CommonOptions.output,
        examples: [
            .init("cloudkit-mock exec --seed demo.json -- ./run-tests", "tests that need a server"),
            .init(
                "cloudkit-mock exec --keep-on-fail failed -- ./run-tests",
                "keep everything for analysis if they fail"),
            .init(
                "cloudkit-mock exec --faults faults/*.faults --matrix -- ./run-tests",
                "the same tests under each set of faults"),
            .init(
                "cloudkit-mock exec --apple --any-container -- node app.js",
                "an unmodified app that talks to Apple's hosts"),
            .init(
                "cloudkit-mock exec -- cksweep plan --rehearsal -c Containers/example.json",
                "a rehearsal"),
        ],
        sections: [ServeOptions.switches])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if arguments.has(AppleRun.apple) {
            if let decided = AppleRun.decided.first(where: { arguments.has($0) }) {
                throw UsageError("--apple decides --\(decided.name) itself")
            }
        } else if arguments.has(AppleRun.host) {
            throw UsageError("--host needs --apple")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        var configuration = try ServeOptions.configuration(arguments, in: environment)
        configuration.warn = { console.warning($0) }
        configuration.note = { console.note($0) }
        // The users of a snapshot file are known only when it is read.
        if configuration.restoredFile == nil {
            _ = try Self.user(arguments, among: configuration.users)
        }
        guard
            !arguments.has(Self.requireFired) || arguments.has(ServeOptions.fault)
                || arguments.has(ServeOptions.faultFile)
        else {
            throw CommandFailure(.usage, "--require-fired needs --fault RULE or --faults FILE")
        }
        if arguments.has(AppleRun.apple) {
            return try await AppleRun(arguments: arguments, console: console).run()
        }
        ServeOptions.tellOfNoContainers(configuration, console)
        let trial = ExecRun(
            verb: Self.verb, arguments: arguments, console: console, configuration: configuration)
        if arguments.has(Self.matrix) { return .child(try await FaultMatrix(of: trial).run()) }
        return .child(try await trial.run().code)
    }

    /// Whose web token the program gets.
    static func user(
        _ arguments: Arguments, among users: [String]
    ) throws(CommandFailure) -> String {
        let user = arguments.text(asUser) ?? users.first ?? ""
        guard users.contains(user) else {
            throw CommandFailure(
                .usage, "there is no user \"\(user)\"" + NearestName.hint(for: user, among: users))
        }
        return user
    }
}
