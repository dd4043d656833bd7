import Basics
import CommandLine
import DonationSync
import SyncEngine

/// A sync in words.
enum SyncText {
    /// How it ended, and what it did.
    static func lines(_ outcome: SyncOutcome, _ style: Style) -> [String] {
        let (word, tone) = headline(outcome.status)
        var first = style.text(word, tone) + ": "
        first += outcome.explanation.isEmpty ? sentence(outcome.report) : outcome.explanation
        var lines = [first]
        if !outcome.explanation.isEmpty { lines.append(sentence(outcome.report)) }
        var table = TextTable(indent: 2)
        for database in outcome.databases {
            table.add([
                .init("\(database.address.container) \(database.address.scope.rawValue)"),
                .init(words(database.ending), database.ending == .idle ? .plain : .caution),
                .number(Int(database.report.requests)),
                .init(database.report.requests == 1 ? "request" : "requests", .faint),
            ])
        }
        lines += table.lines(style)
        lines += causes(outcome.report)
        for (zone, entry) in outcome.report.resurrected.sorted(by: {
            $0.key.zoneName < $1.key.zoneName
        }) {
            lines.append(
                "  received in the deleted zone \(zone): "
                    + "\(Counts.some(entry.records, "record")) of "
                    + "\(Counts.some(entry.devices.count, "device")), last \(entry.last.iso8601)")
        }
        return lines
    }

    private static func headline(_ status: ExitStatus) -> (String, Style.Tone) {
        switch status {
        case .done: ("IN STEP", .good)
        case .discoveryIncomplete: ("NOT ALL READ", .caution)
        case .partlyFailed: ("PARTLY REFUSED", .caution)
        case .notSignedIn: ("NOT SIGNED IN", .bad)
        case .outOfTime: ("OUT OF TIME", .caution)
        case .locked: ("LOCKED", .caution)
        case .interrupted: ("INTERRUPTED", .caution)
        case .terminated: ("TERMINATED", .caution)
        case .internalError, .usage, .refused, .dataLeft, .somethingToDelete, .evidenceInvalid,
            .followUpFailed:
            ("FAILED", .bad)
        }
    }

    private static func sentence(_ report: SyncReport) -> String {
        var parts = [
            "\(Counts.some(report.recordsSeen, "record")) seen",
            "\(Counts.some(report.removedCount, "donation")) removed",
        ]
        if report.uploaded + report.downloaded > 0 {
            parts.append(
                "\(TextTable.grouped(Int(report.uploaded))) sent, "
                    + "\(TextTable.grouped(Int(report.downloaded))) received")
        }
        if report.deletionsSent + report.deletionsReceived > 0 {
            parts.append(
                "\(Counts.some(report.deletionsSent, "deletion")) sent, "
                    + "\(TextTable.grouped(Int(report.deletionsReceived))) received")
        }
        return parts.joined(separator: ", ")
    }

    /// Why donations went.
    static func causes(_ report: SyncReport) -> [String] {
        report.removed.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "  \(TextTable.grouped(Int($0.value))) removed: \(words($0.key))"
        }
    }

    static func words(_ ending: SyncedDatabase.Ending) -> String {
        switch ending {
        case .idle: "up to date"
        case .waiting(let why, let until):
            "\(SyncOutcome.words(why)); not before \(until.iso8601)"
        case .halted(let halt): words(halt)
        case .stopped: "stopped"
        case .failed: "the donation store failed"
        case .withoutFences: "the fences cannot be read"
        }
    }

    static func words(_ halt: SyncHalt) -> String {
        switch halt {
        case .notAuthenticated: "not signed in"
        case .restricted: "restricted; its donations are suspended"
        case .wrongService: "not the service, or not trusted"
        case .refused: "refused"
        case .schemaRefused: "the schema lacks the donation zone's types"
        case .noFeed: "has no feed of changes"
        case .cancelled: "cancelled"
        case .quotaExceeded: "no space left"
        }
    }

    static func words(_ cause: SyncReport.Cause) -> String {
        switch cause {
        case .recordDeleted: "the record was deleted"
        case .swept: "the record no longer exists"
        case .zoneGone: "the zone was deleted"
        case .accountLeft: "the user signed out or changed"
        case .fenced: "the zone was deleted by a sweep"
        case .remoteDeletion: "deleted on another device"
        case .recordVanished: "the synced record was deleted"
        }
    }

    static func words(_ status: SyncZoneStatus) -> String {
        switch status {
        case .unknown: "not seen yet"
        case .live: "live"
        case .unclear: "unclear"
        case .gone(.deleted): "deleted"
        case .gone(.purged): "purged by the user"
        case .gone(.encryptedDataReset): "lost with its keys"
        case .gone(.unshared): "no longer shared"
        }
    }

    static func words(_ cause: SyncRescue.Cause) -> String {
        switch cause {
        case .fenced: "the zone is fenced"
        case .zoneGone: "the zone was deleted"
        case .recordVanished: "the record was deleted"
        case .refused: "the service refuses it"
        }
    }
}
