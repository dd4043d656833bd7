import Basics
import CommandLine
import DonationStore
import DonationSync
import SyncEngine

/// Shows what is known of a sync, without asking the service.
struct SyncStatusCommand: Command {
    static let verb = Verb(
        "sync status", "show the sync state of donations, without a request",
        options: SyncOptions.common,
        examples: [.init("cksweep sync status", "when was the last round?")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let place = try SyncPlace(arguments, in: environment)
        let console = place.console
        guard let session = try SyncSession(at: place, arguments, in: environment) else {
            console.event(Self.event(SyncStatus()))
            console.result([place.nothingToSync])
            return .done
        }
        let status = try await session.use { syncer throws(SyncActFailure) in
            try await inStore { () throws(DonationError) in try await syncer.status() }
        }
        var lines: [String] = []
        for database in status.databases {
            lines += Self.lines(database, console.style, now: environment.wallClock.now)
            console.event(Self.event(database))
        }
        lines.append(Self.exchange(status))
        if !status.rescues.isEmpty {
            lines.append("not sent, newest last:")
            lines += status.rescues.map { entry in
                "  \(entry.at.iso8601) \(entry.zone): \(Counts.some(entry.changes, "change")): "
                    + SyncText.words(entry.cause)
            }
        }
        console.event(Self.event(status))
        console.result(lines)
        return .done
    }

    private static func lines(
        _ status: SyncStatus.DatabaseStatus, _ style: Style, now: Timestamp
    ) -> [String] {
        let name = "\(status.address.container) \(status.address.scope.rawValue)"
        let last = status.database.lastRound.map { "last round \($0.iso8601)" }
        var lines = [style.text(name, .strong) + ": " + (last ?? "no round yet")]
        if !status.zones.isEmpty {
            let zones = status.zones.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                "\(TextTable.grouped($0.value)) \(SyncText.words($0.key))"
            }
            lines.append("  zones: " + zones.joined(separator: ", "))
        }
        if status.fences > 0 { lines.append("  fences: \(TextTable.grouped(status.fences))") }
        if let until = status.database.notBefore, until > now {
            let why = status.database.wait.map { SyncOutcome.words($0) } ?? "waiting"
            lines.append("  \(why): next request at \(until.iso8601)")
        }
        if let halt = status.database.halt {
            lines.append("  " + style.text("stopped: " + SyncText.words(halt), .caution))
        }
        if status.isSuspended { lines.append("  restricted: its donations are hidden") }
        let report = status.report
        if report.requests > 0 {
            lines.append(
                "  so far: \(Counts.some(report.requests, "request")), "
                    + "\(Counts.some(report.recordsSeen, "record")) seen, "
                    + "\(Counts.some(report.removedCount, "donation")) removed")
            lines += SyncText.causes(report).map { "  " + $0 }
        }
        return lines
    }

    private static func exchange(_ status: SyncStatus) -> String {
        guard status.isExchangeOn else {
            return "donations are not uploaded" + (status.hasJoined ? " any more" : "")
        }
        var parts = ["donations are exchanged"]
        if status.includesItems { parts.append("items too") }
        parts.append(
            status.hasJoined
                ? "\(Counts.some(status.devices, "device")), "
                    + "\(Counts.some(status.round, "round")) confirmed"
                : "starts with the next sync")
        let pending = [
            Counts.of(status.pendingRows, "donation"),
            Counts.of(status.pendingDeletions, "deletion"),
            Counts.of(status.pendingDeletes, "record deletion"),
        ].compactMap { $0 }
        if !pending.isEmpty { parts.append("to be sent: " + pending.joined(separator: ", ")) }
        return parts.joined(separator: "; ")
    }

    private static func event(_ status: SyncStatus.DatabaseStatus) -> Event {
        Event(
            "database_status",
            SyncEvents.place(status.address) + [
                .init("lastRound", status.database.lastRound?.iso8601),
                .init("notBefore", status.database.notBefore?.iso8601),
                .init("wait", status.database.wait?.rawValue),
                .init("halt", status.database.halt?.rawValue),
                .init("userKnown", status.isUserKnown), .init("suspended", status.isSuspended),
                .init("fences", status.fences),
                .init(
                    "zones",
                    .object(
                        status.zones.sorted { $0.key.rawValue < $1.key.rawValue }
                            .map { .init($0.key.rawValue, $0.value) })),
                .init("counts", SyncEvents.counts(status.report)),
            ])
    }

    private static func event(_ status: SyncStatus) -> Event {
        Event(
            "exchange_status",
            [
                .init("on", status.isExchangeOn), .init("items", status.includesItems),
                .init("joined", status.hasJoined), .init("devices", status.devices),
                .init("round", Int(status.round)), .init("pendingRows", status.pendingRows),
                .init("pendingDeletions", status.pendingDeletions),
                .init("pendingDeletes", status.pendingDeletes),
                .init("notSent", status.rescues.count),
            ])
    }
}
