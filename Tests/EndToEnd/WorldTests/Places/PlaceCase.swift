import Basics
import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// One way in which the sweep of one place can go.
struct PlaceCase: Sendable, CustomTestStringConvertible {
    var name: String
    /// Whether the person has anything there.
    var isThere = true
    var faults: [String] = []
    var moments: [PlaceStage.Moment] = []
    var protect: [ProtectRule] = []
    var status: Basics.ExitStatus
    /// nil: there is no row.
    var outcome: CoverageRow.Outcome?
    /// Deleted, already gone, kept, left, failed.
    var counts = [0, 0, 0, 0, 0]
    /// What is there afterwards.
    var remaining: Set<String> = []
    var testDescription: String { name }
}

extension PlaceStage {
    static let own = "\(container)/development/private"

    /// What a device of the person's does when a phase begins.
    static func device(_ phase: SweepPhase, _ write: DeviceWrite) -> Moment {
        Moment(phase) { try $0.service.make(write) }
    }

    /// Sweeps as the case says, and holds the place's row and what is left against it.
    func check(
        _ row: PlaceCase, _ kind: CoverageRow.Kind, _ scope: Database.Scope,
        remaining: () async throws -> Set<String>
    ) async throws {
        let report = try await sweep(faults: row.faults, moments: row.moments) {
            $0.policy.protect = row.protect
        }
        #expect(report.status == row.status, "\(report.explanation)")
        let found = report.row(kind, scope)
        #expect(found?.outcome == row.outcome)
        if let found {
            #expect(
                [found.deleted, found.alreadyGone, found.kept, found.left, found.failed]
                    == row.counts)
        }
        #expect(try await remaining() == row.remaining)
    }

    /// What the first person has in private, of one kind: zones by their own names.
    func own(_ kind: Thing.Kind) throws -> Set<String> {
        Set(
            try service.contents().things.keys.filter {
                $0.user == "ada" && $0.scope == "private" && $0.kind == kind
                    && (kind != .zone || $0.zone != "_defaultZone")
            }
            .map { kind == .zone ? $0.zone : $0.name })
    }
}
