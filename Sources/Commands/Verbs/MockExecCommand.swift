import CloudModel
import CommandTable
import Configuration
import FileSystem
import MockServer

/// Runs a program against a mock server of its own.
struct MockExecCommand: Command {
    static let asUser = Option(
        "as", value: .text("NAME"), "whose web token is set (default: the first user)")

    private static let keepOnFail = Option(
        "keep-on-fail", value: .directory,
        "when the program fails, write state, journal and seed to DIR")

    /// What is returned when the program ended well, but broke the service's contract.
    private static let foundCode: Int32 = 7

    static let verb = Verb(
        "mock exec", "run a program against a mock server of its own",
        discussion: [
            "Starts a server, sets CLOUDKIT_EMULATOR_URL, CLOUDKIT_EMULATOR_CA, "
                + "CLOUDKIT_EMULATOR_API_TOKEN, CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN and, for each user, "
                + "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_NAME, runs the program, stops the server, and "
                + "exits with the program's status. Signals go to the program.",
            "Nothing is left running: what the program has started is ended when it ends, and the "
                + "program when this command is killed. When it fails, the seed is printed that repeats "
                + "the server's tokens, names and faults.",
            "With --check, what the program does wrong as a client of the service is written to "
                + "standard error in the end, and the status is 7 if it ended well otherwise.",
            "With these variables set, cksweep itself talks to that server and uses these tokens; "
                + "the list's own credentials are not sent. A list for another server needs "
                + "--rehearsal then.",
        ],
        positionals: [Positional(.text("CMD"), .command, "the program and its arguments")],
        options: MockServerOptions.all + [asUser, keepOnFail, MockAdmin.state]
            + CommonOptions.output,
        examples: [
            .init("cksweep mock exec --seed demo.json -- ./run-tests", "tests that need a server"),
            .init(
                "cksweep mock exec --keep-on-fail failed -- ./run-tests",
                "with everything to look at when they fail"),
            .init(
                "cksweep mock exec -- cksweep plan --rehearsal -c Containers/example.json",
                "a rehearsal"),
        ],
        sections: [MockServerOptions.switches])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let configuration = try MockServerOptions.configuration(arguments, in: environment)
        // An archive tells its users only when it is read.
        let hasArchive = configuration.importFile != nil
        if !hasArchive { _ = try user(among: configuration.users) }
        let server = try RunningMockServer(configuration, clock: environment.wallClock)
        let user: String
        do throws(CommandFailure) {
            user = try self.user(
                among: hasArchive
                    ? server.ready.webTokens.keys.sorted() : configuration.users)
        } catch {
            server.stop()
            try await server.wait()
            throw error
        }
        let variables = environment.variables.merging(server.variables(as: user)) { $1 }
        MockServerOptions.tellOfNoContainers(configuration, console)
        console.detail("mock server at \(server.ready.url)")
        var code: Int32
        do throws(FileError) {
            code = try await ChildProgram(environment: environment).run { () throws(FileError) in
                try environment.processes.start(arguments.command, variables: variables)
            }
        } catch {
            server.stop()
            try await server.wait()
            throw CommandFailure(.usage, error.description)
        }
        var problem: CommandFailure?
        if code != 0 {
            await tellOfFailure(
                "\(arguments.command.first ?? "the program") ended with \(code).", server, console)
        } else if configuration.checksClients {
            do throws(CommandFailure) {
                if try await tellOfFindings(server, console) { code = Self.foundCode }
            } catch {
                problem = error
            }
        }
        server.stop()
        try await server.wait()
        if let problem { throw problem }
        return .child(code)
    }

    /// Whose web token the program gets.
    private func user(among users: [String]) throws(CommandFailure) -> String {
        let user = arguments.text(Self.asUser) ?? users.first ?? ""
        guard users.contains(user) else {
            throw CommandFailure(
                .usage, "there is no user \"\(user)\"" + NearestName.hint(for: user, among: users))
        }
        return user
    }

    /// Says what the program did wrong as a client; whether it did.
    private func tellOfFindings(
        _ server: RunningMockServer, _ console: Console
    ) async throws(CommandFailure) -> Bool {
        let admin = MockAdmin(url: server.ready.url, authorityFile: server.ready.caFile)
        defer { admin.close() }
        let findings = try await MockFindings.all(at: admin)
        for line in findings.lines { console.warning(line) }
        guard !findings.isEmpty else { return false }
        let count = findings.count == 1 ? "1 finding" : "\(findings.count) findings"
        await tellOfFailure("\(count).", server, console)
        return true
    }

    /// Says how to have the same once more, and keeps what was asked for.
    private func tellOfFailure(
        _ what: String, _ server: RunningMockServer, _ console: Console
    ) async {
        let seed = server.ready.seed
        let replay = MockReplay.line(Self.verb, arguments, seed: seed)
        console.note("\(what) The server's seed was \(seed); to repeat it:")
        console.note("  \(replay)")
        guard let text = arguments.text(Self.keepOnFail) else { return }
        let folder = console.environment.files.absolute(text)
        let admin = MockAdmin(url: server.ready.url, authorityFile: server.ready.caFile)
        defer { admin.close() }
        let keepsake = MockKeepsake(
            admin: admin, folder: folder, files: console.environment.files)
        do throws(CommandFailure) {
            try await keepsake.keep(seed: seed, replay: replay)
            console.note("State, journal and seed are in \(text).")
        } catch {
            console.warning("not everything is kept in \(text): \(error.message)")
        }
    }
}
