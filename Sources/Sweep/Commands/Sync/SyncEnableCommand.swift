import CommandLine
import DonationStore
import SyncEngine

/// Lets the app's donations be exchanged between the person's devices.
struct SyncEnableCommand: Command {
    static let verb = Verb(
        "sync enable", "exchange the app's donations between the user's devices",
        discussion: [
            "From the next \"sync\" on, donations are stored in a zone of their own in the "
                + "private database of the app's default container: names as keyed digests, texts "
                + "encrypted. Deletions for all devices are sent as well. A donation zone that was "
                + "deleted before may be created again. A missing donation store is created."
        ],
        options: [SyncOptions.items] + SyncOptions.common,
        examples: [.init("cksweep sync enable --items", "with the search index")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let place = try SyncPlace(arguments, in: environment)
        guard place.defaultContainer != nil else {
            throw CommandFailure(
                .usage, "\(place.list.file) does not name a default container",
                remedy: "add \"default\": true to one container")
        }
        let isNew = environment.files.facts(place.folder + "/donations.sqlite") == nil
        guard let session = try SyncSession(at: place, arguments, in: environment, makes: true)
        else { throw place.nothing }
        if isNew { place.console.note("created a donation store in \(place.folder)") }
        return try await SyncExchangeSwitch.set(true, arguments, session)
    }
}

/// Stops the exchange.
struct SyncDisableCommand: Command {
    static let verb = Verb(
        "sync disable", "stop exchanging donations; deletions are still sent",
        discussion: [
            "Uploads and receives nothing more. The zone's contents stay there for the other "
                + "devices, and deletions for all devices are still sent."
        ],
        options: SyncOptions.common,
        examples: [.init("cksweep sync disable", "keep this device's donations local")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let place = try SyncPlace(arguments, in: environment)
        guard let session = try SyncSession(at: place, arguments, in: environment) else {
            return SyncExchangeSwitch.tell(false, includesItems: false, place.console)
        }
        return try await SyncExchangeSwitch.set(false, arguments, session)
    }
}

/// What both verbs do.
private enum SyncExchangeSwitch {
    static func set(
        _ isOn: Bool, _ arguments: Arguments, _ session: SyncSession
    ) async throws(CommandFailure) -> VerbResult {
        let includesItems = isOn && arguments.has(SyncOptions.items)
        try await session.use { syncer throws(SyncActFailure) in
            try await inStore { () throws(DonationError) in
                try await syncer.setExchange(isOn, includesItems: includesItems)
            }
        }
        return tell(isOn, includesItems: includesItems, session.console)
    }

    static func tell(_ isOn: Bool, includesItems: Bool, _ console: Console) -> VerbResult {
        console.event(Event("exchange", [.init("on", isOn), .init("items", includesItems)]))
        console.result(
            isOn
                ? "ON: donations are exchanged from the next sync on"
                : "OFF: nothing more is uploaded or received")
        return .done
    }
}
