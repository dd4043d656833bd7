import CommandTable
import FileSystem
import MockServer

/// One run of a program against a mock server of its own, which begins and ends with it.
struct MockTrial {
    /// What is returned when the program ended well, but broke the service's contract.
    static let foundCode: Int32 = 7

    /// How it ended.
    struct Outcome {
        /// The program's status, or ``MockTrial/foundCode``.
        var code: Int32
        /// How often faults fired.
        var fired: Int
    }

    let verb: Verb
    let arguments: Arguments
    let console: Console
    let configuration: MockServerConfiguration
    /// Whose faults the server has beside those of all runs.
    var file: FaultFile?

    private var environment: Environment { console.environment }

    func run() async throws(CommandFailure) -> Outcome {
        let server = try RunningMockServer(configuration, clock: environment.wallClock)
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

    private func run(at server: RunningMockServer) async throws(CommandFailure) -> Outcome {
        // An archive tells its users only when it is read.
        let users =
            configuration.importFile == nil
            ? configuration.users : server.ready.webTokens.keys.sorted()
        let user = try MockExecCommand.user(arguments, among: users)
        let variables = environment.variables.merging(server.variables(as: user)) { $1 }
        console.detail("mock server at \(server.ready.url)")
        var code: Int32
        do throws(FileError) {
            code = try await ChildProgram(environment: environment).run { () throws(FileError) in
                try environment.processes.start(arguments.command, variables: variables)
            }
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        let fired = file == nil ? 0 : try await fired(at: server)
        if code != 0 {
            await tellOfFailure(
                "\(arguments.command.first ?? "the program") ended with \(code)", server)
        } else if configuration.checksClients, try await tellOfFindings(server) {
            code = Self.foundCode
        }
        return Outcome(code: code, fired: fired)
    }

    /// How often the faults of a server have fired.
    private func fired(at server: RunningMockServer) async throws(CommandFailure) -> Int {
        let admin = MockAdmin(url: server.ready.url, authorityFile: server.ready.caFile)
        defer { admin.close() }
        guard let rules = try await admin.ask(.get, "faults")["rules"] else {
            throw CommandFailure(.internalError, "the mock server did not tell its faults")
        }
        return rules.elements.reduce(0) { $0 + Int($1["fired"]?.int64 ?? 0) }
    }

    /// Says what the program did wrong as a client; whether it did.
    private func tellOfFindings(_ server: RunningMockServer) async throws(CommandFailure) -> Bool {
        let admin = MockAdmin(url: server.ready.url, authorityFile: server.ready.caFile)
        defer { admin.close() }
        let findings = try await MockFindings.all(at: admin)
        for line in findings.lines { console.warning(line) }
        guard !findings.isEmpty else { return false }
        await tellOfFailure(
            findings.count == 1 ? "1 finding" : "\(findings.count) findings", server)
        return true
    }

    /// Says how to have the same once more, and keeps what was asked for.
    private func tellOfFailure(_ what: String, _ server: RunningMockServer) async {
        let seed = server.ready.seed
        let replay = MockReplay.line(verb, arguments, seed: seed, only: file)
        let place = file.map { " with \($0.path)" } ?? ""
        console.note("\(what)\(place). The server's seed was \(seed); to repeat it:")
        console.note("  \(replay)")
        guard let text = arguments.text(MockExecCommand.keepOnFail) else { return }
        let folder = environment.files.absolute(text) + (file.map { "/" + $0.name } ?? "")
        let admin = MockAdmin(url: server.ready.url, authorityFile: server.ready.caFile)
        defer { admin.close() }
        let keepsake = MockKeepsake(admin: admin, folder: folder, files: environment.files)
        do throws(CommandFailure) {
            try await keepsake.keep(seed: seed, replay: replay)
            console.note("State, journal and seed are in \(text).")
        } catch {
            console.warning("not everything is kept in \(text): \(error.message)")
        }
    }
}
