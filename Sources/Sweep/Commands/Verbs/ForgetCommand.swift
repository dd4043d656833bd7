import CommandLine
import Configuration
import Journal
import SweepEngine

/// Takes what names a person out of the state folder.
struct ForgetCommand: Command {
    private static let abandon = Option(
        "abandon", "abandon a run that could be resumed; asks for a phrase")
    private static let approve = Option(
        "approve", value: .text("DIGEST"),
        "with --abandon: digest of the run's plan, instead of the phrase")

    static let verb = Verb(
        "forget", "remove the names and texts of a run from the state folder",
        discussion: [
            "Removes everything that names the user, their zones and their records from the "
                + "state folder, for this run and every other run about the same user: scans, "
                + "plans, failures. The data is erased from the files. Runs, counts and evidence "
                + "stay, and deleted data still does not return through \"cksweep sync\": its "
                + "fences use keyed digests. Plan files and exports elsewhere are listed for you to "
                + "delete; the account and zones that a sync follows stay with it.",
            "A run that can be resumed is not forgotten (exit 3), unless --abandon is given and "
                + "a phrase is typed, or its plan's digest is given with --approve.",
        ],
        positionals: [
            Positional(.known("RUN", .run), .one, "a run's ID, its beginning, or \"last\"")
        ],
        options: [abandon, approve, CommonOptions.state] + CommonOptions.output,
        examples: [
            .init("cksweep forget last", "after the evidence is handed over"),
            .init("cksweep forget last --abandon", "a run that will not be resumed"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.text(Self.approve) == nil || arguments.has(Self.abandon) else {
            throw UsageError("--approve needs --abandon")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let (folder, run) = try await StateFolders(arguments, in: environment)
            .find(arguments.positionals[0])
        guard let entry = try await RunFinder.all(in: folder).first(where: { $0.runID == run })
        else { throw CommandFailure(.usage, "there is no run \(run) in \(folder)") }
        if let server = entry.server { console.begin(at: server) }
        let abandons = arguments.has(Self.abandon) && entry.canResume
        if abandons, !(await mayAbandon(entry, console)) {
            console.event(Event("refused", [.init("reason", "not confirmed")]))
            return .status(.refused)
        }
        let forgetter = RunForgetter(stateFolder: folder, wallClock: environment.wallClock)
        let (runs, files): ([String], [String])
        do throws(JournalError) {
            (runs, files) = try await forgetter.forget(run, abandons: abandons)
            await forgetter.close()
        } catch {
            await forgetter.close()
            let failure = CommandFailure(error)
            throw CommandFailure(failure.status, whole(failure.message, entry, environment))
        }
        console.event(
            Event(
                "forgotten",
                [
                    .init("run", run), .init("abandoned", abandons),
                    .init("runs", .list(runs.map { .text($0) })),
                    .init("files", .list(files.map { .text($0) })),
                ]))
        console.result([
            "FORGOTTEN: the names and texts of run \(run)"
                + (runs.count > 1
                    ? " and of \(Counts.some(runs.count - 1, "other run")) about the same user"
                    : "") + "; counts and evidence stay."
        ])
        if !files.isEmpty {
            console.result("These files still contain names; delete them yourself:")
            console.result(files.map { "  " + ShellWord.quoted($0) }.joined(separator: "\n"))
        }
        return .done
    }

    /// The commands that a refusal names, with the options that make them about this run.
    private func whole(
        _ message: String, _ run: SweepHistory.Entry, _ environment: Environment
    ) -> String {
        let isRehearsal =
            run.server?.isRehearsal == true && environment.variable(ServerChoice.urlVariable) != nil
        let state = arguments.text(CommonOptions.state).map { " --state \(ShellWord.quoted($0))" }
        return message.replacing(#/"cksweep (resume|forget) ([^ "]+)/#) { match in
            return match.0
                + (match.1 == "resume" && isRehearsal ? " --\(CommonOptions.rehearsal.name)" : "")
                + (state ?? "")
        }
    }

    private func mayAbandon(_ run: SweepHistory.Entry, _ console: Console) async -> Bool {
        if let digest = arguments.text(Self.approve) {
            if digest == run.planDigest { return true }
            console.environment.errors.write(
                "The plan of run \(run.runID) has another digest; nothing was forgotten.\n")
            return false
        }
        return await PhraseQuestion(console: console, otherwise: "nothing was forgotten")
            .isConfirmed(
                "Run \(run.runID) started \(run.began.iso8601) and has not finished. An "
                    + "abandoned run cannot be resumed; data that it did not delete stays in "
                    + "CloudKit.",
                phrase: "abandon \(run.runID)",
                instead: ", and nothing was forgotten. To abandon this run: --approve "
                    + "\(run.planDigest ?? "")")
    }
}

extension CommandFailure {
    /// What a journal's failure means for the exit status.
    init(_ error: JournalError) {
        switch error.code {
        case .cannotOpen, .notPrivate, .newerVersion, .noSuchRun: self.init(.usage, error.reason)
        case .unfinished: self.init(.refused, error.reason)
        case .locked, .fenced, .busy: self.init(.locked, error.reason)
        case .corrupt, .diskFull, .inputOutput, .broken, .illegalMove, .tooMany, .chainBroken:
            self.init(.internalError, error.reason)
        }
    }
}
