import Basics
import DeletionPlanning
import Evidence

extension SweepReport {
    /// The report without a name of a person, zone or record, and without a text that could hold one.
    /// It calls people and zones what the run's evidence calls them.
    ///
    /// - Parameter key: The run's key; nil: it is gone, and so are the names.
    func withoutNames(_ key: CaseKey?) -> SweepReport {
        var report = self
        report.ending = .recorded(status, "names and texts of this run were forgotten")
        report.failures = failures.map {
            Failure(
                container: $0.container, scope: $0.scope, kind: $0.kind, name: nil, code: $0.code,
                reason: "")
        }
        report.rows = rows.map { withoutNames($0, key) }
        report.unmatchedRules = []
        report.allowPartial = allowPartial.map { _ in "for a reason that was forgotten" }
        report.subjects = subjects.map {
            Subject(
                container: $0.container,
                userPseudonym: $0.pseudonymForOthers ?? SweepRun.unknownPerson, givenName: nil,
                pseudonymForOthers: $0.pseudonymForOthers)
        }
        report.plan = plan.map { plan in
            PlanFacts(
                toolVersion: plan.toolVersion, environment: plan.environment, server: plan.server,
                subjects: report.subjects.map {
                    .init(container: $0.container, userPseudonym: $0.userPseudonym)
                }, scopes: plan.scopes, created: plan.created, expires: plan.expires,
                nonce: plan.nonce, conditions: plan.conditions, totals: plan.totals,
                export: plan.export, digest: plan.digest)
        }
        return report
    }

    private func withoutNames(_ row: CoverageRow, _ key: CaseKey?) -> CoverageRow {
        var bare = row
        bare.reason = row.reasonForOthers
        guard row.kind.namesZones else { return bare }
        if let key, let environment {
            bare.subject = row.subject(under: key, environment)
        } else if row.subject.flatMap({ Hexadecimal.decode($0) })?.count != 16 {
            // Without a key there is no pseudonym of a name.
            bare.subject = nil
        }
        return bare
    }
}
