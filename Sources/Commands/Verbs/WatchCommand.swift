import CloudCourier
import CloudModel
import CommandTable
import SweepEngine

/// Looks again at what a run has swept, for as long as devices may bring it back.
struct WatchCommand: Command {
    private static let length = Option(
        "for", value: .duration, "how long to go on looking (default 30d)")
    private static let every = Option(
        "every", value: .duration, "the time between two looks, at least 1m (default 1d)")
    private static let once = Option(
        "once", "look once, now, and end: for cron or a systemd timer")

    static let verb = Verb(
        "watch", "look again later: did data come back?",
        discussion: [
            "A device that was offline during a sweep can write again what was deleted. This takes "
                + "the look of \"verify\" now and then, and tells apart what came back without data, "
                + "such as an empty zone that an app makes when it starts, and what came back with "
                + "data, with the devices that wrote it as far as the service says so.",
            "Each look is signed and added to the run's evidence. The schedule is kept with the run: "
                + "after an interruption the same command goes on with it, and \"runs\" shows when "
                + "the next look is. It ends at the first look that finds something.",
            "Exit 0: every look was empty. 6: something came back. 4: a look could not see "
                + "everything, and none found anything. 7: not signed in any more.",
        ],
        positionals: [
            Positional(
                .known("RUN", .run), .one,
                "a run that ended verified empty: its ID, its beginning, or \"last\"")
        ],
        options: [length, every, once, SweepOptions.verifyPause] + CommonOptions.scope + [
            CommonOptions.parallelism,
            Option(
                CommonOptions.maxDuration.name, value: .duration,
                "stop a look after TIME: it counts as one that could not see everything"),
        ] + CommonOptions.output,
        examples: [
            .init("cksweep watch last --for 30d --every 1d", "a month, a look a day"),
            .init("cksweep watch last --once", "one look, from a timer"),
        ])
    private let arguments: Arguments
    private let length: Duration?
    private let every: Duration?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        length = arguments.duration(Self.length)
        every = arguments.duration(Self.every)
        guard !arguments.has(Self.once) || (length == nil && every == nil) else {
            throw UsageError("--once takes no --for and no --every: the timer decides")
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
