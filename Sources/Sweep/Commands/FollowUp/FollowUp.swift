import Basics
import CommandLine
import Evidence
import FileSystem
import OpenSSL
import SweepEngine

/// What is done once a run has ended: restricting access, then telling the hooks. It never changes what the
/// run ended with.
struct FollowUp: Sendable {
    static let freeze = Option(
        "freeze",
        "restrict access after verification, so that no device uploads the data again"
    )

    /// What verbs that delete say of it.
    static let about =
        "Exit 12: everything was deleted and verified empty, but a follow-up action failed: the "
        + "restriction of --freeze, or a hook of the list."

    let report: SweepReport
    /// nil: nobody asked for a restriction, or nothing was verified.
    private(set) var access: AccessReport?
    /// The hooks that were meant, and what came of them.
    private(set) var hooks: [HookFacts] = []
    /// What could not be written down of it.
    private(set) var problems: [String] = []
    /// Whether a restriction was asked for that did not come about.
    private(set) var owesFreeze: Bool

    /// Does what was asked for after a run.
    init(
        after report: SweepReport, _ sweep: Sweep, _ session: SweepSession, _ hooks: [ReadyHook]
    ) async {
        self.report = report
        owesFreeze = session.freezes
        if session.freezes, case .proven = report.ending, let run = report.runID {
            let access = await sweep.access.change(
                .restrict, run: run, on: { session.connection.database(at: $0) })
            self.access = access
            owesFreeze = access.status != .done
        }
        await tell(hooks, session)
    }

    /// Hooks are told of runs that have evidence: of those that were refused before anything was deleted
    /// there is nothing to tell.
    private mutating func tell(_ ready: [ReadyHook], _ session: SweepSession) async {
        guard !ready.isEmpty, let run = report.runID, let path = report.evidencePath else { return }
        let environment = session.console.environment
        let payload: HookPayload
        let writer: AddendumWriter
        do {
            let statement = try environment.files.read(
                path, bytesMax: Attestation.envelopeBytesMax)
            payload = HookPayload(
                report, run: run,
                evidence: (path, Hexadecimal.encode(SHA256.hash(statement))), access: access,
                at: environment.wallClock.now)
            writer = AddendumWriter(
                folder: session.stateFolder + "/evidence", run: run,
                key: try KeyFolder(stateFolder: session.stateFolder).key(),
                toolVersion: Program.cksweep.version)
        } catch {
            problems.append("no hook was run: \(error)")
            return
        }
        let runner = HookRunner(console: session.console, stop: session.stop)
        for hook in ready where hook.isMeant(verified: payload.isVerified) {
            let facts = await runner.run(hook, payload)
            hooks.append(facts)
            do throws(EvidenceError) {
                _ = try writer.add(.hook(facts), at: facts.endedAt)
            } catch {
                problems.append("hook \(facts.position) is not in the evidence: \(error)")
            }
        }
    }

    /// The status to exit with: the run's, unless that is 0 and something after it failed.
    var status: ExitStatus {
        let isDone = !owesFreeze && problems.isEmpty && hooks.allSatisfy { $0.failure == nil }
        return report.status == .done && !isDone ? .followUpFailed : report.status
    }
}

extension SweepSession {
    /// Runs what deletes and verifies, and then what is to follow it.
    ///
    /// - Throws: exit 2 when a hook lacks something, before anybody is asked anything.
    func erase(
        _ body: @escaping @Sendable (Sweep, SweepSession) async -> SweepReport
    ) async throws(CommandFailure) -> FollowUp {
        let hooks = try ReadyHook.all(of: list, in: console.environment)
        return await run { sweep, session in
            await FollowUp(after: await body(sweep, session), sweep, session, hooks)
        }
    }

    /// Shows how it ended, and what followed.
    func finish(_ ended: FollowUp) -> VerbResult {
        _ = finish(ended.report, followUpFailed: ended.status == .followUpFailed)
        if let access = ended.access {
            let text = AccessText(access)
            console.event(text.event)
            console.result(text.lines(console.style).joined(separator: "\n"))
        } else if ended.owesFreeze {
            console.warning(
                "access is not restricted: only data that was verified empty is restricted")
        }
        for hook in ended.hooks {
            let text = HookText(hook)
            console.event(text.event)
            console.result(text.line(console.style))
        }
        for problem in ended.problems { console.warning(problem) }
        return .status(ended.status)
    }
}
