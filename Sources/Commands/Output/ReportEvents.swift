import CloudModel
package import DeletionPlanning
package import SweepEngine

/// A report for programs: the same facts as the text.
package enum ReportEvents {
    package static func event(_ report: SweepReport, name: String = "report") -> Event {
        let tally = report.tally
        var fields: [Event.Field] = [
            .init("status", Int(report.status.rawValue)),
            .init("explanation", report.explanation),
            .init("run", report.runID),
            .init("application", report.application),
            .init("environment", report.environment?.rawValue),
            .init("began", report.began?.iso8601),
            .init("ended", report.ended?.iso8601),
            .init("allowedPartial", report.allowPartial),
            .init(
                "tally",
                .object([
                    .init("deleted", tally.deleted), .init("alreadyGone", tally.alreadyGone),
                    .init("kept", tally.kept), .init("failed", tally.failed),
                    .init("unverified", tally.unverified),
                ])),
            .init("requests", report.requests),
            .init("retries", report.retries),
        ]
        fields.append(.init("plan", report.plan.map { .object(planFields($0)) } ?? .null))
        fields.append(.init("users", .list(report.subjects.map { subject($0) })))
        fields.append(.init("coverage", .list(report.rows.map { .object(rowFields($0)) })))
        fields.append(.init("passes", .list(report.passes.map { .object(passFields($0)) })))
        fields.append(.init("failureCount", report.failureCount))
        fields.append(.init("failures", .list(report.failures.map { failure($0) })))
        fields.append(.init("unmatchedRules", .list(report.unmatchedRules.map { rule($0) })))
        fields.append(.init("timings", .object(report.timings.map { timing($0) })))
        fields.append(.init("evidence", report.evidencePath))
        fields.append(.init("chainHead", report.chainHead))
        return Event(name, fields)
    }

    package static func planFields(_ plan: PlanFacts) -> [Event.Field] {
        [
            .init("digest", plan.digest),
            .init("created", plan.created.iso8601),
            .init("expires", plan.expires.iso8601),
            .init("zones", plan.totals.zones),
            .init("defaultZones", plan.totals.defaultZones),
            .init("records", plan.totals.records),
            .init("subscriptions", plan.totals.subscriptions),
            .init("userRecords", plan.totals.userRecords),
            .init("kept", plan.totals.kept),
            .init("requests", plan.totals.steps),
        ]
    }

    package static func rowFields(_ row: CoverageRow) -> [Event.Field] {
        [
            .init("container", row.container.rawValue),
            .init("database", row.scope.rawValue),
            .init("what", row.kind.rawValue),
            .init("subject", row.subject),
            .init("outcome", row.outcome.rawValue),
            .init("reason", row.reason),
            .init("found", row.found),
            .init("deleted", row.deleted),
            .init("alreadyGone", row.alreadyGone),
            .init("kept", row.kept),
            .init("failed", row.failed),
            .init("left", row.left),
        ]
    }

    package static func passFields(_ pass: VerificationPass) -> [Event.Field] {
        [
            .init("pass", pass.number),
            .init("began", pass.began.iso8601),
            .init("ended", pass.ended.iso8601),
            .init("clean", pass.isClean),
            .init("left", pass.left),
            .init("unread", pass.unread),
            .init("requests", pass.requests),
        ]
    }

    private static func subject(_ subject: SweepReport.Subject) -> Event.Value {
        .object([
            .init("container", subject.container.rawValue),
            .init("user", subject.userPseudonym),
        ])
    }

    private static func failure(_ failure: SweepReport.Failure) -> Event.Value {
        .object([
            .init("container", failure.container.rawValue),
            .init("database", failure.scope.rawValue),
            .init("what", failure.kind.rawValue),
            .init("name", failure.name),
            .init("code", failure.code.rawValue),
            .init("reason", failure.reason),
        ])
    }

    private static func rule(_ rule: ProtectRule) -> Event.Value {
        .object([
            .init("container", rule.container?.rawValue),
            .init("zone", rule.zone),
            .init("recordType", rule.recordType),
            .init("reason", rule.reason),
        ])
    }

    private static func timing(_ timing: SweepReport.Timing) -> Event.Field {
        .init(
            "\(timing.phase.rawValue)Milliseconds", Int(DurationText.milliseconds(timing.took)))
    }
}
