import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import CommandLine
import Configuration
import Evidence
import Journal
import SweepEngine

/// Carries out the looks of a watch: one, or those of a schedule, with the waits between them.
struct Watcher: Sendable {
    private static let defaultLength: Duration = .seconds(30 * 86_400)
    private static let defaultEvery: Duration = .seconds(86_400)
    /// The longest sleep before the time is read again: clocks are set, and machines suspended.
    private static let sleepMax: Duration = .seconds(3600)

    private let arguments: Arguments
    private let environment: Environment
    private let console: Console
    private let book: WatchBook
    private let run: String

    /// Finds the run that is meant; contacts nobody.
    init(_ arguments: Arguments, in environment: Environment) async throws(CommandFailure) {
        self.arguments = arguments
        self.environment = environment
        console = try Console(arguments, in: environment)
        try await StateFolders(arguments, in: environment).check(arguments.positionals[0])
        let server = try ContainerList.read(arguments, in: environment)
            .server(arguments, in: environment)
        console.begin(at: server.facts)
        let folder = environment.stateFolder(
            arguments.text(CommonOptions.state), isRehearsal: server.facts.isRehearsal)
        book = WatchBook(stateFolder: folder)
        run = try await RunFinder.choose(
            arguments.positionals[0], among: RunFinder.all(in: folder), in: folder,
            last: { ["sweep", "apply", "resume"].contains($0.verb) && $0.status == .done })
    }

    // MARK: Looks

    /// Looks now, whatever the schedule says; one that there is takes note of it.
    func lookOnce() async throws(CommandFailure) -> ExitStatus {
        var schedule = try await schedule()
        let report = try await look(&schedule)
        return report.status
    }

    /// Goes on with the run's schedule, or begins one: anew where a length or a distance is said.
    func watch(for length: Duration?, every: Duration?) async throws(CommandFailure) -> ExitStatus {
        var schedule = try await schedule()
        if schedule?.next == nil || length != nil || every != nil {
            schedule = WatchSchedule(
                from: environment.wallClock.now, for: length ?? Self.defaultLength,
                every: every ?? Self.defaultEvery)
            try await keep(schedule)
        }
        while let wait = schedule?.wait(at: environment.wallClock.now) {
            if wait > .zero {
                if let status = await pause(until: schedule?.next, wait) { return status }
                continue
            }
            let report = try await look(&schedule)
            switch report.status {
            case .done, .discoveryIncomplete, .outOfTime: continue
            case .internalError, .usage, .refused, .partlyFailed, .dataLeft, .notSignedIn, .locked,
                .somethingToDelete, .evidenceInvalid, .followUpFailed, .interrupted, .terminated:
                return report.status
            }
        }
        return conclusion(schedule)
    }

    /// One look, told and noted.
    private func look(
        _ schedule: inout WatchSchedule?
    ) async throws(CommandFailure) -> SweepReport {
        let session = try SweepSession(arguments, in: environment, console: console)
        let run = run
        let report = await session.run { sweep, session in
            await sweep.watch(run: run) { ReadOnlyDatabase(session.connection.database(at: $0)) }
        }
        if let found = Self.found(report) {
            schedule?.looked(at: environment.wallClock.now, found)
            try await keep(schedule)
        }
        let text = WatchText(report, schedule, run: run)
        console.event { report.jsonLine($0) }
        console.event(text.event)
        if console.isVerbose { console.result(ReportText(report, console.style).text) }
        console.result(text.lines(console.style).joined(separator: "\n"))
        tellHowToGoOn(report, session)
        return report
    }

    /// What a look counts as; nil for one that did not take place.
    private static func found(_ report: SweepReport) -> LookFacts.Found? {
        if let found = report.returned?.found { return found }
        switch report.status {
        case .discoveryIncomplete, .outOfTime: return .incomplete
        case .done, .internalError, .usage, .refused, .partlyFailed, .dataLeft, .notSignedIn,
            .locked, .somethingToDelete, .evidenceInvalid, .followUpFailed, .interrupted,
            .terminated:
            return nil
        }
    }

    private func tellHowToGoOn(_ report: SweepReport, _ session: SweepSession) {
        var steps: [NextStep] = []
        switch report.status {
        case .notSignedIn: steps = session.stepsToSignIn(report) + [goOn(session)]
        case .interrupted, .terminated, .internalError, .locked: steps = [goOn(session)]
        case .dataLeft: steps = [session.step("To delete it", ["sweep"])]
        case .done, .usage, .refused, .discoveryIncomplete, .partlyFailed, .outOfTime,
            .somethingToDelete, .evidenceInvalid, .followUpFailed:
            break
        }
        for step in steps { environment.say(step) }
    }

    private func goOn(_ session: SweepSession) -> NextStep {
        session.step("To continue", ["watch", run])
    }

    // MARK: Between looks

    /// Waits until the next look may be due.
    ///
    /// - Returns: the status to exit with when somebody asks to stop; nil: go on.
    private func pause(until next: Timestamp?, _ wait: Duration) async -> ExitStatus? {
        let stop = StopSignal()
        environment.signals.onStop { stop.request($0 == 2 ? .interrupt : .terminate) }
        defer { environment.signals.endProcess() }
        if let next {
            console.note("The next scan is at \(next.iso8601), in \(DurationText.render(wait)).")
        }
        let watch = Stopwatch(environment.clock)
        let sleep = min(wait, Self.sleepMax)
        _ = await stop.unlessAsked { () async -> Bool? in
            do {
                try await watch.sleep(for: sleep)
                return true
            } catch {
                return nil
            }
        }
        guard let reason = stop.reason else { return nil }
        environment.errors.write(
            "Stopped watching. The schedule is stored: the same command continues it.\n")
        return reason == .terminate ? .terminated : .interrupted
    }

    private func conclusion(_ schedule: WatchSchedule?) -> ExitStatus {
        let status: ExitStatus
        let words: String
        switch schedule?.worst {
        case .empty:
            (status, words) = (.done, "every scan was empty")
        case .recreatedEmpty, .recreatedWithData:
            (status, words) = (.dataLeft, "an earlier scan found that something had returned")
        case .incomplete, nil:
            (status, words) = (.discoveryIncomplete, "not every scan was complete")
        }
        console.event(
            Event(
                "watched",
                [
                    .init("run", run), .init("looks", schedule?.looks ?? 0),
                    .init("status", Int(status.rawValue)),
                ]))
        let (word, tone) = VerdictText.headline(status)
        console.result([
            console.style.text(word, tone) + ": run \(run) was watched until "
                + "\(schedule?.until.iso8601 ?? ""): \(words)"
        ])
        return status
    }

    // MARK: The schedule

    private func schedule() async throws(CommandFailure) -> WatchSchedule? {
        do throws(JournalError) {
            return try await book.schedule(of: run)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func keep(_ schedule: WatchSchedule?) async throws(CommandFailure) {
        guard let schedule else { return }
        do throws(JournalError) {
            try await book.keep(schedule, of: run)
        } catch {
            throw CommandFailure(error)
        }
    }
}
