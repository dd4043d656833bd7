import CloudCommandLine
import CloudModel
import CommandLine
import Configuration
import FileSystem
import MockRecording

/// Keeps what a program and a service say to each other in a file.
struct RecordCommand: Command {
    private static let upstream = Option(
        "upstream", value: .text("URL"), isNeeded: true,
        "the service, such as https://api.apple-cloudkit.com")
    private static let upstreamAuthority = Option(
        "upstream-ca", value: .file,
        "certificate authority of the service (default: the system's)")
    private static let out = Option(
        "out", value: .file, isNeeded: true,
        "output file; nothing is overwritten")
    private static let allowWrites = Option(
        "allow-writes", value: .container, repeats: true,
        "allow writes to this container; all others are refused")
    private static let production = Option(
        "production", "allow writes to these containers in production too")
    private static let names = Option(
        "names", "replace record names too")
    private static let apiToken = Option(
        "api-token", value: .text("SOURCE"),
        "env:NAME or file:PATH of the API token (default: env:CLOUDKIT_EMULATOR_API_TOKEN)")
    private static let webToken = Option(
        "web-token", value: .text("SOURCE"),
        "env:NAME or file:PATH of the web token (default: env:CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN)")

    static let verb = Verb(
        "record", "record the exchanges of a program with a service",
        discussion: [
            "Starts a proxy on this machine, runs the program with the variables of \"exec\" "
                + "pointing to it, and stores each request and its response in FILE. Exits "
                + "with the program's status; with 5 if that is 0 and a request got no response.",
            "Tokens, key IDs, cookies, asset addresses, user record names, e-mail addresses, "
                + "phone numbers and names of people are replaced, also in what the program sees: "
                + "it gets the same bytes during recording and replay. The contents of fields and "
                + "assets are kept.",
            "Writes are refused unless --allow-writes names their container, and those in "
                + "production unless --production is also given. The service's certificate is "
                + "always checked.",
        ],
        positionals: [RecordingStage.command],
        options: [
            upstream, upstreamAuthority, out, allowWrites, production, names, apiToken, webToken,
        ]
            + RecordingStage.options,
        examples: [
            .init(
                "cloudkit-mock record --upstream https://api.apple-cloudkit.com --out "
                    + "look.recording -- ./run-tests", "a session with the real service"),
            .init(
                "cloudkit-mock replay look.recording -- ./run-tests",
                "the same without the service"),
        ])
    let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if let problem = arguments.text(Self.upstream).flatMap({ ServerAddress.problem(in: $0) }) {
            throw UsageError("--upstream \(problem)")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let configuration = try configuration(console)
        let stage = try RecordingStage(arguments, console)
        let proxy: RecordingProxy
        do throws(RecordingError) {
            proxy = try RecordingProxy(configuration, on: stage.server, environment.files)
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
        async let recorded = Self.outcome(of: proxy)
        let code: Result<Int32, CommandFailure>
        do throws(CommandFailure) {
            code = .success(try await stage.run(proxy.variables))
        } catch {
            code = .failure(error)
        }
        let summary: RecordingProxy.Summary
        do throws(RecordingError) {
            summary = try await recorded.get()
        } catch {
            throw CommandFailure(.internalError, "the recording is incomplete: \(error)")
        }
        do throws(CommandFailure) {
            return tell(summary, try code.get(), console)
        } catch {
            // Nothing was asked: the program was not started.
            if summary.exchanges == 0 { environment.files.remove(configuration.file) }
            throw error
        }
    }

    private static func outcome(
        of proxy: RecordingProxy
    ) async -> Result<RecordingProxy.Summary, RecordingError> {
        do throws(RecordingError) {
            return .success(try await proxy.run())
        } catch {
            return .failure(error)
        }
    }

    private func tell(
        _ summary: RecordingProxy.Summary, _ code: Int32, _ console: Console
    ) -> VerbResult {
        let file = arguments.text(Self.out) ?? ""
        var parts = [Counts.some(summary.exchanges, "exchange")]
        if summary.refusals > 0 { parts.append("\(summary.refusals) refused here") }
        if summary.lost > 0 { parts.append("\(summary.lost) without a response are not in it") }
        console.note("\(file): " + parts.joined(separator: ", "))
        console.event(
            Event(
                "recorded",
                [
                    .init("file", file), .init("exchanges", summary.exchanges),
                    .init("refused", summary.refusals), .init("lost", summary.lost),
                ]))
        if code == 0, summary.lost > 0 { return .status(.partlyFailed) }
        return .child(code)
    }

    private func configuration(
        _ console: Console
    ) throws(CommandFailure) -> RecordingProxy.Configuration {
        let environment = console.environment
        let files = environment.files
        let authority = arguments.text(Self.upstreamAuthority).map { files.absolute($0) }
        if let authority, files.facts(authority)?.isFile != true {
            throw CommandFailure(.usage, "--upstream-ca: there is no file \(authority)")
        }
        var configuration = RecordingProxy.Configuration(
            upstream: ServerAddress.canonical(arguments.text(Self.upstream) ?? ""),
            trust: authority.map { .file($0) } ?? .system,
            file: files.absolute(arguments.text(Self.out) ?? ""))
        configuration.writes = WritePolicy(
            writable: Set(arguments.texts(Self.allowWrites).compactMap { Container.ID($0) }),
            allowsProduction: arguments.has(Self.production))
        configuration.replacesRecordNames = arguments.has(Self.names)
        configuration.warn = { console.warning($0) }
        let notTokens = [ServerChoice.urlVariable, ServerChoice.authorityVariable]
        for name in ServerVariables.names(in: environment.variables) where !notTokens.contains(name)
        {
            configuration.credentials[name] = environment.variable(name)
        }
        for (option, name) in [
            (Self.apiToken, ServerChoice.apiTokenVariable),
            (Self.webToken, ServerChoice.webTokenVariable),
        ] {
            guard let source = arguments.text(option) else { continue }
            configuration.credentials[name] = try CredentialSource.read(
                source, option: "--\(option.name)", in: environment)
        }
        return configuration
    }
}
