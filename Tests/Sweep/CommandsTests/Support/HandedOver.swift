import CloudModel
import DeletionPlanning
import Evidence
import SweepEngine

/// Reports as others get them.
enum HandedOver {
    /// The key of the sample's run.
    static let key = CaseKey([UInt8](repeating: 7, count: CaseKey.byteCount))

    static func redacted(
        _ report: SweepReport, case reference: String? = nil
    ) -> RedactedReport {
        var report = report
        report.caseReference = reference
        report.subjects = report.subjects.map {
            SweepReport.Subject(
                container: $0.container, userPseudonym: $0.userPseudonym,
                givenName: $0.givenName,
                pseudonymForOthers: key.pseudonym(
                    of: "_someone", .user, in: $0.container.rawValue, "development"))
        }
        return RedactedReport(report, key)
    }

    /// A sweep of three containers with all that a page shows.
    static var whole: SweepReport {
        var report = SampleReport.done
        let settings = Container.ID("iCloud.com.example.settings")
        let containers = [SampleReport.app, SampleReport.docs, settings].compactMap { $0 }
        report.serverKey = String(repeating: "5e", count: 32)
        report.subjects = containers.map {
            .init(container: $0, userPseudonym: "folder's own", givenName: "Ann")
        }
        report.ended = report.began?.advanced(by: .seconds(14))
        report.rows = containers.enumerated().flatMap { rows(of: $1, isFirst: $0 == 0) }
        return report
    }

    private static func rows(of container: Container.ID, isFirst: Bool) -> [CoverageRow] {
        var rows: [CoverageRow] = []
        rows += SampleReport.row(
            container, .customZones, .deleted, found: 1197, deleted: 1195, gone: 2)
        rows += SampleReport.row(
            container, .defaultZone, .deleted, found: 20_000, deleted: 19_400, kept: 600,
            reason: "600 kept: tax law until 2031")
        rows += SampleReport.row(container, .subscriptions, .deleted, found: 3, deleted: 3)
        rows += SampleReport.row(container, .sharedZones, .empty)
        rows += SampleReport.row(container, .publicRecords, .deleted, found: 12, deleted: 12)
        rows += SampleReport.row(container, .userRecord, .empty)
        rows += SampleReport.row(
            container, .otherEnvironment, .notInScope,
            reason: "this run is about development, not about production")
        guard isFirst else { return rows }
        rows += SampleReport.row(
            container, .sharedRecords, .notInScope, subject: "Ann's secret zone",
            reason: "2 records of other users stay with the zone's owner")
        return rows
    }
}
