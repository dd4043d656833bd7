import CommandLine
import FileSystem
import MockHost
import MockStore

/// Has this machine trust the mock server's certificate authority.
struct TrustCommand: Command {
    private static let remove = Option("remove", "end the trust again")

    static let verb = Verb(
        "trust", "print the command that makes this machine trust the mock server",
        discussion: [
            "Each state folder has its own authority. It can certify localhost, the names given "
                + "to its first server, names below those, and every IP address; no other name. Its "
                + "key never leaves the folder: anyone with a copy could impersonate these servers "
                + "to the programs of this machine. Nothing is changed without --yes. Programs run "
                + "by \"cloudkit-mock exec\" need none of this: CLOUDKIT_EMULATOR_CA names the authority."
        ],
        options: [TrustRun.yes, remove, AdminClient.state] + CommonOptions.output,
        examples: [
            .init("cloudkit-mock trust", "print what has to be run"),
            .init("cloudkit-mock trust --yes", "run it"),
            .init("cloudkit-mock trust --remove --yes", "undo it"),
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let run = try TrustRun(arguments, in: environment)
        if arguments.has(Self.remove) {
            return try await run.carryOut(
                run.store.commandsToForget(), inBrowsers: nil, event: "untrust")
        }
        let state = environment.stateFolder(arguments.text(AdminClient.state))
        let folder = CertificateFolder(stateFolder: state)
        do throws(MockServerError) {
            _ = try folder.authority(
                names: [], now: environment.wallClock.now.milliseconds / 1000)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        let file = folder.certificateFile
        return try await run.carryOut(
            run.store.commands(trusting: file), inBrowsers: file, event: "trust")
    }
}

/// The commands of ``TrustCommand``, printed or run.
struct TrustRun: Sendable {
    static let yes = Option("yes", "run it, with sudo unless this is root")

    let store: TrustStore
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, in environment: Environment) throws(CommandFailure) {
        self.arguments = arguments
        console = try Console(arguments, in: environment)
        guard let store = TrustStore.find(environment.files) else {
            throw CommandFailure(
                .usage, "this machine has no known folder for certificate authorities",
                remedy: "pass the file to programs yourself: it is in CLOUDKIT_EMULATOR_CA")
        }
        self.store = store
    }

    /// - Parameter file: The authority; nil: it is to be forgotten.
    func carryOut(
        _ commands: [[String]], inBrowsers file: String?, event name: String
    ) async throws(CommandFailure) -> VerbResult {
        let environment = console.environment
        let needsSudo = !environment.processes.isRoot
        let commands = commands.map { needsSudo ? ["sudo"] + $0 : $0 }
        let isRun = arguments.has(Self.yes)
        for command in commands {
            let line = command.map { ShellWord.quoted($0) }.joined(separator: " ")
            console.result(line)
            guard isRun else { continue }
            let child: Int32
            do throws(FileError) {
                child = try environment.processes.start(
                    command, variables: environment.variables)
            } catch {
                throw CommandFailure(.internalError, error.description)
            }
            let code = await environment.processes.wait(for: child)
            guard code == 0 else {
                throw CommandFailure(.internalError, "\(line) ended with \(code)")
            }
        }
        let lines = commands.map { Event.Value.list($0.map { .text($0) }) }
        console.event(Event(name, [.init("commands", .list(lines)), .init("run", isRun)]))
        let browsers = TrustStore.browserCommand(
            trusting: file, home: environment.variable("HOME") ?? "~")
        console.note(
            "Chromium and Firefox have their own certificate authorities:\n  "
                + browsers.map { ShellWord.quoted($0) }.joined(separator: " "))
        if !isRun { console.note("Nothing was changed; --yes runs it.") }
        return .done
    }
}
