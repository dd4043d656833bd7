import CloudModel
import CommandTable
import Configuration
import FileSystem
import MockServer

/// Runs a program against a mock server of its own.
struct MockExecCommand: Command {
    static let asUser = Option(
        "as", value: .known("NAME", .user), "whose web token is set (default: the first user)")

    static let keepOnFail = Option(
        "keep-on-fail", value: .directory,
        "when the program fails, write state, journal and seed to DIR")

    static let matrix = Option(
        "matrix", "run the program once for each file of --faults, each time in a new world")

    static let requireFired = Option(
        "require-fired", "fail when a fault of --fault or --faults did not fire")

    static let verb = Verb(
        "mock exec", "run a program against a mock server of its own",
        discussion: [
            "Starts a server, sets CLOUDKIT_EMULATOR_URL, CLOUDKIT_EMULATOR_CA, "
                + "CLOUDKIT_EMULATOR_ADMIN_TOKEN, CLOUDKIT_EMULATOR_API_TOKEN, "
                + "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN and, for each user, "
                + "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_NAME, runs the program, stops the server, and "
                + "exits with the program's status. Signals go to the program.",
            "Nothing is left running: what the program has started is ended when it ends, and the "
                + "program when this command is killed. When it fails, the seed is printed that repeats "
                + "the server's tokens, names and faults.",
            "With --check, what the program does wrong as a client of the service is written to "
                + "standard error in the end, and the status is 7 if it ended well otherwise.",
            "Faults that did not fire are named on standard error. With --require-fired the status is 6 "
                + "then, if it were 0 otherwise.",
            "With --matrix, the program is run once for each file of faults, against a new server each "
                + "time, and a table says how each run ended and how many faults fired. The status is "
                + "that of the first run that failed. A signal ends the run that it meets, and the runs "
                + "after it are left out; the status is never 0 then.",
            "With these variables set, cksweep itself talks to that server and uses these tokens; "
                + "the list's own credentials are not sent. A list for another server needs "
                + "--rehearsal then.",
        ],
        positionals: [Positional(.text("CMD"), .command, "the program and its arguments")],
        options: MockServerOptions.all
            + [asUser, matrix, requireFired, keepOnFail, MockAdmin.state]
            + CommonOptions.output,
        examples: [
            .init("cksweep mock exec --seed demo.json -- ./run-tests", "tests that need a server"),
            .init(
                "cksweep mock exec --keep-on-fail failed -- ./run-tests",
                "with everything to look at when they fail"),
            .init(
                "cksweep mock exec --faults faults/*.faults --matrix -- ./run-tests",
                "the same tests under each of several troubles"),
            .init(
                "cksweep mock exec -- cksweep plan --rehearsal -c Containers/example.json",
                "a rehearsal"),
        ],
        sections: [MockServerOptions.switches])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        var configuration = try MockServerOptions.configuration(arguments, in: environment)
        configuration.warn = { console.warning($0) }
        configuration.note = { console.note($0) }
        // An archive tells its users only when it is read.
        if configuration.importFile == nil {
            _ = try Self.user(arguments, among: configuration.users)
        }
        guard
            !arguments.has(Self.requireFired) || arguments.has(MockServerOptions.fault)
                || arguments.has(MockServerOptions.faultFile)
        else {
            throw CommandFailure(.usage, "--require-fired needs --fault RULE or --faults FILE")
        }
        MockServerOptions.tellOfNoContainers(configuration, console)
        let trial = MockTrial(
            verb: Self.verb, arguments: arguments, console: console, configuration: configuration)
        if arguments.has(Self.matrix) { return .child(try await MockMatrix(of: trial).run()) }
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
