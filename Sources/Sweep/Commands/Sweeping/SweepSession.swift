import AsyncOperations
import CloudCommandLine
import CloudCourier
import CommandLine
import Configuration
import DeletionPlanning
import DonationStore
import SweepEngine

/// Everything a sweeping verb needs, made ready from arguments, list and environment.
struct SweepSession: Sendable {
    let console: Console
    let list: ContainerList
    let server: ServerChoice
    let connection: CloudConnection
    let request: SweepRequest
    let stateFolder: String
    /// The donations of the list's app; nil: there is no store.
    let donations: DonationStore?
    let display: ProgressDisplay
    let stop: StopSignal
    /// Whether access is to be restricted once everything is verified empty.
    let freezes: Bool
    private let arguments: Arguments

    /// Reads the list, the secrets and the limits; contacts nobody.
    ///
    /// - Parameter console: The console of a verb that has more than one session; nil: one is made.
    init(
        _ arguments: Arguments, in environment: Environment,
        defaults: SweepRequest.Limits = SweepRequest.Limits(),
        console given: Console? = nil
    ) throws(CommandFailure) {
        self.arguments = arguments
        freezes = arguments.has(FollowUp.freeze)
        console = if let given { given } else { try Console(arguments, in: environment) }
        list = try ContainerList.read(arguments, in: environment)
        server = try list.server(arguments, in: environment)
        console.begin(at: server.facts)
        stateFolder = environment.stateFolder(
            arguments.text(CommonOptions.state), isRehearsal: server.facts.isRehearsal)
        display = ProgressDisplay(console, host: server.host)
        stop = StopSignal()
        do throws(ConfigurationError) {
            connection = try CloudConnection(
                list, at: server, in: console, stateFolder: stateFolder,
                requestsInFlight: arguments.number(CommonOptions.parallelism)
                    ?? defaults.parallelism,
                signInAgain: SignInAgain(console, display, stop))
        } catch {
            throw CommandFailure(error)
        }
        donations = try DonationSource.open(
            for: list, at: server, stateFolder: stateFolder, in: environment)
        var request = Self.request(arguments, list, defaults)
        request.conditions = try RequestOptions.conditions(
            arguments, at: environment.wallClock.now)
        if let name = arguments.text(SweepOptions.publicUser) {
            guard !freezes else {
                throw CommandFailure(
                    .usage,
                    "--freeze needs a signed-in user, but the user of --public-user is not "
                        + "signed in",
                    remedy: "remove one of them")
            }
            try Self.limit(&request, to: name, list, connection)
        }
        self.request = request
    }

    /// Limits a request to what a server-to-server key reaches of a person who is not signed in.
    private static func limit(
        _ request: inout SweepRequest, to name: String, _ list: ContainerList,
        _ connection: CloudConnection
    ) throws(CommandFailure) {
        let isName =
            name.hasPrefix("_") && name.utf8.count <= 255
            && name.utf8.dropFirst().allSatisfy { UInt8(ascii: "!")...UInt8(ascii: "~") ~= $0 }
        guard isName, name.utf8.count > 1 else {
            throw CommandFailure(
                .usage, "--public-user takes a user record name, which begins with \"_\"")
        }
        guard let entry = list.containers.first, list.containers.count == 1 else {
            throw CommandFailure(
                .usage, "--public-user works on one container, and \(list.file) has more",
                remedy: "user record names differ between containers: make a list with one "
                    + "container")
        }
        guard connection.hasServerKey(for: entry.id) else {
            throw CommandFailure(
                .usage, "--public-user needs a server-to-server key for \(entry.id)",
                remedy: "add \"keyID\" and \"privateKey\" to the list's credentials")
        }
        request.scopes = [.public]
        request.namedPerson = name
    }

    private static func request(
        _ arguments: Arguments, _ list: ContainerList, _ defaults: SweepRequest.Limits
    ) -> SweepRequest {
        var limits = defaults
        if let parallelism = arguments.number(CommonOptions.parallelism) {
            limits.parallelism = parallelism
            limits.perDatabase = min(limits.perDatabase, parallelism)
        }
        if let most = arguments.duration(CommonOptions.maxDuration) { limits.maxDuration = most }
        if let pause = arguments.duration(SweepOptions.verifyPause) { limits.verifyPause = pause }
        return SweepRequest(
            application: list.application, environment: list.environment,
            targets: list.containers.map { entry in
                SweepRequest.Target(
                    container: entry.id, zones: entry.zones,
                    recordTypes: entry.knowsRecordTypes ? entry.recordTypes : nil,
                    retiredTypes: entry.retiredTypes, customZonesOnly: entry.customZonesOnly,
                    assetFields: entry.assetFields)
            },
            scopes: list.databases, policy: list.policy,
            allowPartial: arguments.text(CommonOptions.allowPartial), limits: limits)
    }

    var confirmation: Confirmation {
        Confirmation(console, approve: arguments.text(CommonOptions.approve), server: server.url)
    }

    /// Runs the engine under progress display and signals, and closes the connections.
    func run<Ended: Sendable>(
        _ body: @escaping @Sendable (Sweep, SweepSession) async -> Ended
    ) async -> Ended {
        let environment = console.environment
        let resumable = Locked<String?>(nil)
        var world = SweepWorld(
            stateFolder: stateFolder, clock: environment.clock,
            wallClock: environment.wallClock, seed: environment.freshSeed(),
            toolVersion: Program.cksweep.version, stop: stop,
            tell: { event in
                if case .approved(let run) = event { resumable.withLock { $0 = run } }
                display.tell(event)
            })
        world.donations = donations
        world.assets = connection.assets
        world.assetProbe = connection.assets
        world.serverKey = { [connection] in connection.serverKey }
        world.clockSkew = { [connection] in connection.serverClock.skew }
        world.toolBuild = { ProgramDigest.current }
        world.server = server.facts
        environment.signals.onStop { signal in
            display.erase()
            if display.isPaused { environment.errors.write("\n") }
            environment.errors.write(
                "Stopping: waiting for requests in flight. Interrupt again to stop at once.\n")
            // Whoever stops it at once gets no report: this is the last word.
            if let run = resumable.withLock({ $0 }) {
                environment.say(stepToResume(run))
            }
            stop.request(signal == 2 ? .interrupt : .terminate)
        }
        let sweep = Sweep(request, in: world)
        let timer = request.limits.maxDuration.map {
            stop.requestOutOfTime(after: $0, on: environment.clock)
        }
        let ended = await display.whileRunning { await body(sweep, self) }
        timer?.cancel()
        environment.signals.endProcess()
        connection.close()
        await donations?.flushAndClose()
        return ended
    }

    /// Asks whether to go on, with the live line out of the way.
    ///
    /// - Returns: nil at once when somebody asks to stop: whoever interrupts does not answer.
    func confirm(_ report: SweepReport) async -> Approval? {
        await display.paused {
            await stop.unlessAsked { await confirmation.ask(report) }
        }
    }

    /// Shows how it ended.
    ///
    /// - Parameter followUpFailed: Whether what was to follow it failed.
    func finish(_ report: SweepReport, followUpFailed: Bool = false) -> VerbResult {
        console.event { report.jsonLine($0) }
        console.show(report, followUpFailed: followUpFailed)
        for step in nextSteps(report) { console.environment.say(step) }
        return .status(report.status)
    }

    /// The command to go on with after a run that left something undone.
    private func nextSteps(_ report: SweepReport) -> [NextStep] {
        switch report.status {
        case .interrupted, .terminated, .outOfTime, .partlyFailed, .dataLeft, .internalError: break
        case .notSignedIn: return stepsToSignIn(report)
        case .done, .usage, .refused, .discoveryIncomplete, .locked, .somethingToDelete,
            .evidenceInvalid, .followUpFailed:
            return []
        }
        if let run = report.runID, report.canResume { return [stepToResume(run)] }
        return report.status == .dataLeft ? [step("To delete it", ["sweep"])] : []
    }

    /// What to do about a sign-in that has ended, and then about the run.
    func stepsToSignIn(_ report: SweepReport) -> [NextStep] {
        let isSignedInTo = list.containers.contains { entry in
            list.credentials(for: entry)?.webAuthToken?.source == .login
        }
        let resume = report.canResume ? report.runID.map { stepToResume($0) } : nil
        return [isSignedInTo ? step("To sign in", ["login"]) : nil, resume].compactMap { $0 }
    }

    private func stepToResume(_ run: String) -> NextStep { step("To continue", ["resume", run]) }

    /// A command line about the same containers and runs.
    func step(_ label: String, _ verb: [String]) -> NextStep {
        var words = ["cksweep"] + verb
        if let config = arguments.text(CommonOptions.config) { words += ["-c", config] }
        if let state = arguments.text(CommonOptions.state) { words += ["--state", state] }
        for option in [CommonOptions.production, CommonOptions.rehearsal]
        where arguments.has(option) { words.append("--\(option.name)") }
        return NextStep(label: label, words: words)
    }
}

/// Options of sweeping verbs that few share.
enum SweepOptions {
    static let exportFirst = Option(
        "export-first", value: .directory,
        "first export everything to DIR, and delete only if the export is complete")
    static let verifyPause = Option(
        "verify-pause", value: .duration,
        "pause between two verification passes (default 10s)")
    static let publicUser = Option(
        "public-user", value: .text("RECORDNAME"),
        "delete the public records of this user, who is not signed in, with a server-to-server key")
}
