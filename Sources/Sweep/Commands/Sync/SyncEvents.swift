import Basics
import CloudModel
import CommandLine
import Configuration
import DonationSync
import SyncEngine

/// What happens during a sync, for programs. No name of a record or donation is in it.
enum SyncEvents {
    /// The event as a line of `--json`; nil for what only a live line shows.
    static func event(_ event: SyncEvent) -> Event? {
        switch event {
        case .roundBegan(let number): Event("round_began", [.init("round", number)])
        case .databaseBegan(let address): Event("database_began", place(address))
        case .waiting(let address, let why, let until, let wait):
            Event(
                "sync_wait",
                place(address) + [
                    .init("why", why.rawValue), .init("until", until.iso8601),
                    .init("milliseconds", Int(DurationText.milliseconds(wait))),
                ])
        case .databaseEnded(let database):
            Event(
                "database_ended",
                place(database.address) + [
                    .init("ending", word(database.ending)),
                    .init("counts", counts(database.report)),
                ])
        case .roundEnded(let number): Event("round_ended", [.init("round", number)])
        case .progress: nil
        }
    }

    /// How it ended.
    static func event(_ outcome: SyncOutcome) -> Event {
        Event(
            "synced",
            [
                .init("status", Int(outcome.status.rawValue)),
                .init("explanation", outcome.explanation.orNil),
                .init("rounds", outcome.rounds), .init("counts", counts(outcome.report)),
                .init(
                    "resurrected",
                    .list(
                        outcome.report.resurrected.sorted { $0.key.zoneName < $1.key.zoneName }
                            .map { .object(resurrection($0.key, $0.value)) })),
            ])
    }

    /// There is no store: nothing was asked and nothing done.
    static var nothing: Event {
        Event(
            "synced",
            [
                .init("status", Int(ExitStatus.done.rawValue)),
                .init("explanation", "there is no donation store"), .init("rounds", 0),
                .init("counts", counts(SyncReport())), .init("resurrected", .list([])),
            ])
    }

    static func place(_ address: Database.Address) -> [Event.Field] {
        [
            .init("container", address.container.rawValue),
            .init("environment", address.environment.rawValue),
            .init("database", address.scope.rawValue),
        ]
    }

    static func word(_ ending: SyncedDatabase.Ending) -> String {
        switch ending {
        case .idle: "idle"
        case .waiting(let why, _): why.rawValue
        case .halted(let halt): halt.rawValue
        case .stopped: "stopped"
        case .failed: "failed"
        case .withoutFences: "withoutFences"
        }
    }

    /// Every counter of a report.
    static func counts(_ report: SyncReport) -> Event.Value {
        let plain: [(String, Int64)] = [
            ("requests", report.requests), ("recordsSeen", report.recordsSeen),
            ("deletionsSeen", report.deletionsSeen), ("zonesUnclear", report.zonesUnclear),
            ("rescans", report.rescans), ("uploaded", report.uploaded),
            ("downloaded", report.downloaded), ("deletionsSent", report.deletionsSent),
            ("deletionsReceived", report.deletionsReceived), ("refused", report.refused),
            ("parked", report.parked), ("rescued", report.rescued), ("waits", report.waits),
        ]
        return .object(
            plain.map { .init($0.0, Int($0.1)) } + [
                .init(
                    "removed",
                    .object(
                        report.removed.sorted { $0.key.rawValue < $1.key.rawValue }
                            .map { .init($0.key.rawValue, Int($0.value)) })),
                .init(
                    "zonesGone",
                    .object(
                        report.zonesGone.sorted { $0.key.rawValue < $1.key.rawValue }
                            .map { .init($0.key.rawValue, Int($0.value)) })),
            ])
    }

    private static func resurrection(
        _ zone: RecordZone.ID, _ entry: SyncReport.Resurrection
    ) -> [Event.Field] {
        [
            .init("zone", zone.zoneName), .init("owner", zone.ownerRecordName),
            .init("records", Int(entry.records)),
            .init("devices", .list(entry.devices.sorted().map { .text($0) })),
            .init("first", entry.first.iso8601), .init("last", entry.last.iso8601),
        ]
    }
}

extension String {
    /// nil for an empty text.
    fileprivate var orNil: String? { isEmpty ? nil : self }
}
