import CommandLine
import FileSystem
import MockHost
import MockStore

/// One run of a program against a mock server of its own, which begins and ends with it.
struct ExecRun {
    /// How it ended.
    struct Outcome {
        /// The program's status, or ``ReportedFindings/foundCode`` where it ended well, but broke the service's
        /// contract, or ``FaultCounts/unfiredCode`` where a fault had to fire and did not.
        var code: Int32
        /// How often faults fired.
        var fired: Int
        /// The first signal that went to the program; nil: none.
        var signal: Int32?
    }

    let verb: Verb
    let arguments: Arguments
    let console: Console
    private(set) var configuration: MockServerConfiguration
    /// Whose faults the server has beside those of all runs.
    private(set) var file: FaultFile?

    private var environment: Environment { console.environment }

    init(
        verb: Verb, arguments: Arguments, console: Console, configuration: MockServerConfiguration
    ) {
        (self.verb, self.arguments, self.console) = (verb, arguments, console)
        self.configuration = configuration
    }

    /// The same under the faults of a file, too.
    ///
    /// - Throws: Where two faults have one name.
    func under(_ file: FaultFile) throws(CommandFailure) -> ExecRun {
        var trial = self
        trial.configuration.faults = try FaultFile.rules(
            of: [file], beside: configuration.faults)
        trial.file = file
        return trial
    }

    func run() async throws(CommandFailure) -> Outcome {
        let server = try RunningServer(configuration, clock: environment.wallClock)
        let outcome: Result<Outcome, CommandFailure>
        do throws(CommandFailure) {
            outcome = .success(try await run(at: server))
        } catch {
            outcome = .failure(error)
        }
        server.stop()
        try await server.wait()
        return try outcome.get()
    }

    private func run(at server: RunningServer) async throws(CommandFailure) -> Outcome {
        // The users of a snapshot file are known only when it is read.
        let users =
            configuration.restoredFile == nil
            ? configuration.users : server.ready.webTokens.keys.sorted()
        let user = try ExecCommand.user(arguments, among: users)
        var own = environment.variables
        own[AppleRun.hostsVariable] = nil
        let variables = own.merging(server.variables(as: user)) { $1 }
        console.detail("mock server at \(server.ready.url)")
        let ended: ChildProgram.Ended
        do throws(FileError) {
            ended = try await ChildProgram(in: environment).run { () throws(FileError) in
                try environment.processes.start(arguments.command, variables: variables)
            }
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        var code = ended.status
        if code != 0 {
            await tellOfFailure(
                "\(arguments.command.first ?? "the program") ended with \(code)", server)
        }
        if configuration.checksClients {
            let findings = try await tellOfFindings(server)
            if code == 0, !findings.isEmpty {
                code = ReportedFindings.foundCode
                await tellOfFailure(
                    findings.count == 1 ? "1 finding" : "\(findings.count) findings", server)
            }
        }
        let (fired, isUnfired) = try await checkFaults(server)
        if code == 0, isUnfired, arguments.has(ExecCommand.requireFired) {
            code = FaultCounts.unfiredCode
            await tellOfFailure("--require-fired: a fault did not fire", server)
        }
        return Outcome(code: code, fired: fired, signal: ended.signal)
    }

    /// How often faults fired, and whether one did not, which is said.
    private func checkFaults(
        _ server: RunningServer
    ) async throws(CommandFailure) -> (fired: Int, isUnfired: Bool) {
        guard !configuration.faults.isEmpty else { return (0, false) }
        let admin = server.admin()
        defer { admin.close() }
        let counts = try await FaultCounts.read(at: admin)
        let unfired = counts.unfired(configuration.faults.map { ($0.id, $0.text) })
        let under = file.map { " (\($0.path))" } ?? ""
        for sentence in unfired { console.warning(sentence + under) }
        return (counts.total, !unfired.isEmpty)
    }

    /// Reports what the program did wrong as a client.
    private func tellOfFindings(
        _ server: RunningServer
    ) async throws(CommandFailure) -> ReportedFindings {
        let admin = server.admin()
        defer { admin.close() }
        let findings = try await ReportedFindings.read(at: admin, "final=true")
        for line in findings.lines { console.warning(line) }
        if findings.isEmpty, findings.unwatched.isEmpty {
            console.note("No findings.")
        }
        return findings
    }

    /// Says how to have the same once more, and keeps what was asked for.
    private func tellOfFailure(_ what: String, _ server: RunningServer) async {
        let seed = server.ready.seed
        let replay = RepeatLine.line(
            verb, arguments, seed: seed, only: file,
            appleHosts: environment.variables[AppleRun.hostsVariable].map { hosts in
                hosts.split(separator: ",").map(String.init)
            })
        let under = file.map { " with \($0.path)" } ?? ""
        console.note("\(what)\(under). To repeat it, with the server's seed \(seed):")
        console.note("  \(replay)")
        guard let text = arguments.text(ExecCommand.keepOnFail) else { return }
        let place = text + (file.map { "/" + $0.name } ?? "")
        let admin = server.admin()
        defer { admin.close() }
        let files = environment.files
        let kept = KeptFailure(admin: admin, folder: files.absolute(place), files: files)
        do throws(CommandFailure) {
            try await kept.keep(seed: seed, replay: replay)
            console.note("State, journal and seed are in \(files.absolute(place)).")
        } catch {
            console.warning("not everything was saved in \(place): \(error.message)")
        }
    }
}
