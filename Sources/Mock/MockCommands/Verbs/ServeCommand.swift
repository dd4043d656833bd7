import CommandLine
import FileSystem
import JSON
import MockHost
import MockStore

/// Runs the mock server until a signal stops it.
struct ServeCommand: Command {
    private static let readyFile = Option(
        "ready-file", value: .file,
        "write address, tokens and more to FILE as JSON when ready, mode 0600 (always: in --state)")

    private static let listen = Option(
        "listen", value: .text("ADDRESS"),
        "IP address to listen on (default 127.0.0.1 and ::1); others than loopback need "
            + "--ready-file"
    )

    static let verb = Verb(
        "serve", "run a mock server",
        discussion: [
            "Serves CloudKit Web Services over TLS on this machine, with a certificate "
                + "authority made once per state folder. Prints one line \"ready URL pid N ca "
                + "FILE\" on standard output when it listens, and stops on SIGINT or SIGTERM. On a "
                + "terminal it also prints commands to paste into another one.",
            "With the default store no data survives a stop; with --store DIR every "
                + "acknowledged write survives even kill -9.",
            "The page at / shows what the server stores. GET /_mock/v1/openapi.json describes "
                + "every request, for tools that test the server or generate clients.",
            "The page and the requests below /_mock/ need a token, which is new at each start. "
                + "The ready file contains it, as \"adminToken\" and in the page's link "
                + "\"console\", which is also printed on a terminal. The other verbs read it "
                + "there, or in $CLOUDKIT_EMULATOR_ADMIN_TOKEN.",
            "With --listen, containers and other machines can reach the service. The "
                + "certificate contains that address, except for 0.0.0.0 and ::, where --name gives "
                + "the names that clients use.",
        ],
        options: ServeOptions.all + [listen, readyFile, AdminClient.state]
            + CommonOptions.output,
        examples: [
            .init("cloudkit-mock serve --port 8443", "until Ctrl-C"),
            .init(
                "cloudkit-mock serve --store ./data --ready-file ready.json &",
                "durable, for scripts"),
            .init(
                "cloudkit-mock serve --listen 0.0.0.0 --name mock --ready-file ready.json",
                "for other containers"),
        ],
        sections: [ServeOptions.switches])
    private let arguments: Arguments
    private let address: ListenAddress?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard let text = arguments.text(Self.listen) else {
            address = nil
            return
        }
        guard let address = ListenAddress(text) else {
            throw UsageError("--listen \"\(text)\" is not an IP address, such as 127.0.0.1 or ::1")
        }
        guard address.isLoopback || arguments.has(Self.readyFile) else {
            throw UsageError(
                "--listen \(text) lets other machines reach the server, so its administration "
                    + "token must be in a file: add --ready-file FILE")
        }
        self.address = address
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        var configuration = try ServeOptions.configuration(arguments, in: environment)
        let isNamed = arguments.has(ServeOptions.name)
        address?.apply(to: &configuration, isNamed: isNamed)
        if address?.isWildcard == true, !isNamed {
            console.note(
                "The certificate is for localhost only; --name adds the names that other machines use."
            )
        }
        let state = environment.stateFolder(arguments.text(AdminClient.state))
        let readyFile = arguments.text(Self.readyFile).map { environment.files.absolute($0) }
        configuration.readyFile = readyFile ?? ReadyFile.path(state)
        configuration.warn = { console.warning($0) }
        configuration.note = { console.note($0) }
        let known = ReadyFile.path(state)
        let before = try? ReadyFile.read(of: state, environment.files)
        let server = try RunningServer(configuration, clock: environment.wallClock)
        environment.signals.onStop { _ in server.stop() }
        if let before { tell(of: before, at: known, console) }
        if let readyFile, readyFile != known { copyReadyFile(readyFile, to: known, console) }
        announce(server.ready, configuration, console)
        try await server.wait()
        environment.signals.endProcess()
        for path in Set([known, configuration.readyFile ?? known]) {
            removeOwn(path, server.ready.url, environment)
        }
        return .done
    }

    /// Writes the ready file again where the other verbs look for it.
    private func copyReadyFile(_ readyFile: String, to known: String, _ console: Console) {
        let files = console.environment.files
        do throws(FileError) {
            try files.write(try files.read(readyFile), to: known, mode: 0o600, replacing: true)
        } catch {
            console.warning(
                "\(error.description); other verbs need --server, --ca and "
                    + "$CLOUDKIT_EMULATOR_ADMIN_TOKEN")
        }
    }

    /// Prints where the server is, and what a user of it should know.
    private func announce(
        _ ready: MockReady, _ configuration: MockServerConfiguration, _ console: Console
    ) {
        console.result(ready.line)
        console.event(
            Event(
                "ready",
                [
                    .init("url", ready.url), .init("port", Int(ready.port)),
                    .init("pid", Int(ready.pid)), .init("ca", ready.caFile),
                    .init("seed", "\(ready.seed)"),
                ]))
        ServeOptions.tellOfNoContainers(configuration, console)
        if configuration.storage == .memory {
            console.note("The store is in memory: no data survives a stop.")
            console.note("Seed \(ready.seed); --random-seed repeats tokens, names and faults.")
        }
        console.detail("users: \(ready.webTokens.keys.sorted().joined(separator: ", "))")
        guard console.environment.terminal.errorsIsTerminal, !console.isJSON else { return }
        let greeting = Greeting(
            ready: ready, container: configuration.containers?.first?.rawValue,
            state: arguments.text(AdminClient.state))
        let shell = EnvironmentShell(shell: console.environment.variable("SHELL"))
        console.noteToCopy(greeting.text(shell))
    }

    /// Says what becomes of the word that an earlier server has left in the state folder.
    private func tell(of earlier: ReadyFile, at path: String, _ console: Console) {
        guard let pid = earlier.pid, pid != console.environment.processes.ownID else { return }
        if earlier.isStale(console.environment.files) == true {
            console.note(
                "\(path) was left by process \(pid), which ended without cleaning up; it is "
                    + "replaced.")
        } else {
            console.warning(
                "process \(pid) serves \(earlier.url) with the same state folder; other "
                    + "verbs use this new server from now on, and the other one with --server and "
                    + "$CLOUDKIT_EMULATOR_ADMIN_TOKEN")
        }
    }

    /// Removes a ready file unless another server has written it meanwhile.
    private func removeOwn(_ path: String, _ url: String, _ environment: Environment) {
        guard let bytes = try? environment.files.read(path),
            let document = try? JSONDocument.parse(bytes),
            document.root["url"]?.string == url
        else { return }
        environment.files.remove(path)
    }
}
