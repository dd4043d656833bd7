import CloudCommandLine
import CommandLine
import SweepEngine

/// Looks again at what a run has swept, for as long as devices may bring it back.
struct WatchCommand: Command {
    private static let length = Option(
        "for", value: .duration, "total duration (default 30d)")
    private static let every = Option(
        "every", value: .duration, "time between two scans, at least 1m (default 1d)")
    private static let once = Option(
        "once", "scan once and end: for cron or a systemd timer")

    static let verb = Verb(
        "watch", "rescan regularly to detect data that returns",
        discussion: [
            "A device that was offline during a sweep can upload again what was deleted. watch "
                + "repeats the scan of \"verify\", and distinguishes what returned without data, "
                + "such as an empty zone that an app creates at launch, from what returned with "
                + "data, with the devices that wrote it if the service reports them.",
            "Each scan is signed and added to the run's evidence. The schedule is stored with "
                + "the run: after an interruption the same command continues it, and \"runs\" shows "
                + "the time of the next scan. It ends at the first scan that finds something.",
            "Exit 0: every scan was empty. 6: something returned. 4: a scan was incomplete, and "
                + "none found anything. 7: no longer signed in.",
        ],
        positionals: [
            Positional(
                .known("RUN", .run), .one,
                "a run that ended verified empty: its ID, the start of its ID, or \"last\"")
        ],
        options: [length, every, once, SweepOptions.verifyPause] + CommonOptions.scope + [
            CommonOptions.parallelism,
            Option(
                CommonOptions.maxDuration.name, value: .duration,
                "stop a scan after TIME; it then counts as incomplete"),
        ] + CommonOptions.output,
        examples: [
            .init("cksweep watch last --for 30d --every 1d", "for a month, one scan per day"),
            .init("cksweep watch last --once", "one scan, from a timer"),
        ])
    private let arguments: Arguments
    private let length: Duration?
    private let every: Duration?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        length = arguments.duration(Self.length)
        every = arguments.duration(Self.every)
        guard !arguments.has(Self.once) || (length == nil && every == nil) else {
            throw UsageError("--once excludes --for and --every: the timer decides")
        }
        if let every, every < WatchSchedule.everyMin {
            throw UsageError("--every must be at least 1m")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let watcher = try await Watcher(arguments, in: environment)
        if arguments.has(Self.once) { return .status(try await watcher.lookOnce()) }
        return .status(try await watcher.watch(for: length, every: every))
    }
}
