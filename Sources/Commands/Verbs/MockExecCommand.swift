import CloudModel
import CommandTable
import Configuration
import FileSystem
import MockServer

/// Runs a program against a mock server of its own.
struct MockExecCommand: Command {
    static let asUser = Option(
        "as", value: .text("NAME"), "whose web token is set (default: the first user)")

    static let verb = Verb(
        "mock exec", "run a program against a mock server of its own",
        discussion: [
            "Starts a server, sets CLOUDKIT_EMULATOR_URL, CLOUDKIT_EMULATOR_CA, "
                + "CLOUDKIT_EMULATOR_API_TOKEN, CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN and, for each user, "
                + "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_NAME, runs the program, stops the server, and "
                + "exits with the program's status. Signals go to the program.",
            "With these variables set, cksweep itself talks to that server and uses these tokens; "
                + "the list's own credentials are not sent. A list for another server needs "
                + "--rehearsal then.",
        ],
        positionals: [Positional(.text("CMD"), .command, "the program and its arguments")],
        options: MockServerOptions.all + [asUser, MockAdmin.state]
            + CommonOptions.output,
        examples: [
            .init("cksweep mock exec --seed demo.json -- ./run-tests", "tests that need a server"),
            .init(
                "cksweep mock exec -- cksweep plan --rehearsal -c Containers/example.json",
                "a rehearsal"),
        ],
        sections: [MockServerOptions.switches])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let configuration = try MockServerOptions.configuration(arguments, in: environment)
        let user = arguments.text(Self.asUser) ?? configuration.users.first ?? ""
        guard configuration.users.contains(user) else {
            throw CommandFailure(
                .usage,
                "there is no user \"\(user)\""
                    + NearestName.hint(for: user, among: configuration.users))
        }
        let server = try RunningMockServer(configuration, clock: environment.wallClock)
        var variables = environment.variables.merging(server.variables) { $1 }
        variables[ServerChoice.webTokenVariable] = server.ready.webTokens[user]
        MockServerOptions.tellOfNoContainers(configuration, console)
        console.detail("mock server at \(server.ready.url)")
        let child: Int32
        do throws(FileError) {
            child = try environment.processes.start(arguments.command, variables: variables)
        } catch {
            server.stop()
            try await server.wait()
            throw CommandFailure(.usage, error.description)
        }
        environment.signals.forward { environment.processes.send($0, to: child) }
        let code = await environment.processes.wait(for: child)
        environment.signals.endProcess()
        server.stop()
        try await server.wait()
        return .child(code)
    }
}
