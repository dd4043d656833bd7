import CommandLine
import MockRecording

/// Serves a recording in place of the service that it is of.
struct ReplayCommand: Command {
    static let verb = Verb(
        "replay", "serve a recording of \"cloudkit-mock record\"",
        discussion: [
            "Replies to each request with the recorded bytes: to equal requests of one user in "
                + "their order, whatever comes between them. Requests are equal if method, path, "
                + "parameters and JSON body are equal; time has no effect.",
            "A request that is not in the recording is refused with 400, never with \"not "
                + "found\", and reported on standard error with the nearest recorded one and the "
                + "differences. Exits with the program's status; with 5 if that is 0 and there was "
                + "such a request. Unused exchanges are listed at the end.",
            "With --compare, sends the recorded requests in their order to a running mock server "
                + "instead, and shows where its responses differ: exits 0 if all agree, and 6 if "
                + "some do not. Names may differ if they do so consistently; tags, tokens, times "
                + "and addresses are new each time. Where possible, a difference names the related "
                + "rules of \"cloudkit-mock rules\". The recording's users are mapped, in order, "
                + "to the users of the server. Requests that were signed with a key, and those that "
                + "\"record\" refused, are left out.",
        ],
        positionals: [
            Positional(
                .file, .one,
                "the recording; FILE.part is what an interrupted recording left"),
            RecordingStage.command,
        ],
        options: RecordingStage.options + [
            ReplayComparison.compare, ReplayComparison.most, AdminClient.server,
            AdminClient.authority,
        ],
        examples: [
            .init(
                "cloudkit-mock replay look.recording -- ./run-tests", "tests without the service"),
            .init(
                "cloudkit-mock replay look.recording --port 8443 --ready-file ready.json",
                "for programs that are started elsewhere"),
            .init(
                "cloudkit-mock exec --any-container --seed demo.json -- "
                    + "cloudkit-mock replay look.recording --compare",
                "is the mock server faithful to what was recorded?"),
        ])
    private let arguments: Arguments

    /// Exchanges that are told one by one.
    private static let shownMax = 10

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if arguments.has(ReplayComparison.compare) {
            if let stray = [RecordingStage.port, RecordingStage.readyFile].first(where: {
                arguments.has($0)
            }) {
                throw UsageError("--\(stray.name) and --compare exclude each other")
            }
            guard arguments.command.isEmpty else {
                throw UsageError("--compare runs no program; \"cloudkit-mock exec\" runs it")
            }
        } else if let stray = [
            ReplayComparison.most, AdminClient.server, AdminClient.authority,
        ].first(where: { arguments.has($0) }) {
            throw UsageError("--\(stray.name) needs --compare")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let file: RecordingFile
        do throws(RecordingError) {
            file = try RecordingFile(arguments.positionals[0], environment.files)
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
        if !file.isEnded {
            console.warning(
                "the recording was interrupted: only its complete exchanges are used")
        }
        guard !arguments.has(ReplayComparison.compare) else {
            return try await ReplayComparison(arguments: arguments, console: console).run(file)
        }
        let stage = try RecordingStage(arguments, console)
        let replay = ReplayServer(file, on: stage.server) {
            console.warning("not in the recording: \($0)")
        }
        async let summary = replay.run()
        let code: Result<Int32, CommandFailure>
        do throws(CommandFailure) {
            code = .success(try await stage.run(file.head.variables))
        } catch {
            code = .failure(error)
        }
        return tell(await summary, try code.get(), console)
    }

    private func tell(
        _ summary: ReplayServer.Summary, _ code: Int32, _ console: Console
    ) -> VerbResult {
        var parts = ["\(summary.answered) answered"]
        if summary.misses > 0 { parts.append("\(summary.misses) not in the recording") }
        if !summary.unasked.isEmpty {
            parts.append("\(Counts.some(summary.unasked.count, "exchange")) never requested")
        }
        console.note(parts.joined(separator: ", "))
        for entry in summary.unasked.prefix(Self.shownMax) {
            console.note("  never requested: \(entry.number) \(entry.method) \(entry.path)")
        }
        if summary.unasked.count > Self.shownMax {
            console.note("  and \(summary.unasked.count - Self.shownMax) more")
        }
        console.event(
            Event(
                "replayed",
                [
                    .init("answered", summary.answered), .init("missed", summary.misses),
                    .init("unasked", summary.unasked.count),
                ]))
        if code == 0, summary.misses > 0 { return .status(.partlyFailed) }
        return .child(code)
    }
}
