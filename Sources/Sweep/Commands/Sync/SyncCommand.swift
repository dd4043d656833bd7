import CommandLine
import DonationSync

/// Brings the local donations in step with the app's databases.
struct SyncCommand: Command {
    static let verb = Verb(
        "sync", "apply the cloud's deletions to local donations",
        discussion: [
            "Reads what changed in the list's private and shared databases, and removes the "
                + "local donations that are linked to deleted records and zones. Never changes the "
                + "content itself. Without --watch it runs one round.",
            "Donations themselves are uploaded only after \"sync enable\", into a zone of the "
                + "app's own; then deletions made on one of the user's devices apply to all of "
                + "them.",
            "Zones that a sweep deleted are fenced: nothing is sent to them and nothing "
                + "received from them is stored, until \"sync unfence\".",
            "Exit 0: everything was read, or there is no donation store yet. 4: something could "
                + "not be read. 5: something was refused or cannot be sent. 7: not signed in; no "
                + "donation is deleted for that.",
        ],
        options: [
            SyncOptions.once, SyncOptions.watch, SyncOptions.interval, SyncOptions.maxWait,
            SyncOptions.maxDuration,
        ] + SyncOptions.common,
        examples: [
            .init("cksweep sync -c Containers/app.json", "once, for example from a timer"),
            .init("cksweep sync --watch --interval 5m", "until interrupted"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        guard !arguments.has(SyncOptions.once) || !arguments.has(SyncOptions.watch) else {
            throw UsageError("--once and --watch exclude each other")
        }
        guard arguments.duration(SyncOptions.interval) == nil || arguments.has(SyncOptions.watch)
        else { throw UsageError("--interval needs --watch") }
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
