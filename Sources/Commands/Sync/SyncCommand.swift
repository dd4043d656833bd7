import CommandTable
import DonationSync

/// Brings the local donations in step with the app's databases.
struct SyncCommand: Command {
    static let verb = Verb(
        "sync", "bring local donations in step with what is left in the cloud",
        discussion: [
            "Reads what changed in the list's private and shared databases, and removes the local "
                + "donations that are linked to records and zones which are gone. Nothing of the "
                + "content is ever changed. Without --watch it is one round.",
            "Donations themselves are uploaded only after \"sync enable\", into a zone of the app's "
                + "own; then deletions made on one of the person's devices act on all of them.",
            "Zones that a sweep erased are fenced: nothing is sent into them and nothing that "
                + "arrives there is taken, until \"sync unfence\".",
            "Exit 0: everything was read, or there is no donation store yet. 4: something could not be. 5: something was refused, or "
                + "not sent for good. 7: not signed in; nothing is deleted for that.",
        ],
        options: [
            SyncOptions.once, SyncOptions.watch, SyncOptions.interval, SyncOptions.maxWait,
            SyncOptions.maxDuration,
        ] + SyncOptions.common,
        examples: [
            .init("cksweep sync -c Containers/app.json", "once, from a timer say"),
            .init("cksweep sync --watch --interval 5m", "until it is stopped"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        guard !arguments.has(SyncOptions.once) || !arguments.has(SyncOptions.watch) else {
            throw UsageError("--once and --watch exclude each other")
        }
        guard arguments.duration(SyncOptions.interval) == nil || arguments.has(SyncOptions.watch)
        else { throw UsageError("--interval goes with --watch") }
        if let pause = arguments.duration(SyncOptions.interval), pause < .seconds(1) {
            throw UsageError("--interval must be at least 1s")
        }
        self.arguments = arguments
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let place = try SyncPlace(arguments, in: environment)
        guard let session = try SyncSession(at: place, arguments, in: environment) else {
            // Whoever watches waits for something that nobody may ever make.
            guard !arguments.has(SyncOptions.watch) else { throw place.nothing }
            place.console.event(SyncEvents.nothing)
            place.console.result(place.nothingToSync)
            return .done
        }
        let outcome = try await session.sync()
        session.console.event(SyncEvents.event(outcome))
        session.console.result(
            SyncText.lines(outcome, session.console.style))
        return .status(outcome.status)
    }
}
