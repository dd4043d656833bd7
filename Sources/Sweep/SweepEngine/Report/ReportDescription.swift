import CloudModel
import Configuration
package import DeletionPlanning

/// The one description of a report: what it says, under which keys. Every form of it for the operator is
/// derived from this: `report --as json` and the line of `--json`.
struct ReportDescription: Sendable {
    let report: SweepReport

    /// All fields but given names; ``EventValue`` writes keys in order.
    var fields: [(String, EventValue)] {
        [
            ("allowPartial", .optional(report.allowPartial)),
            ("application", .optional(report.application)),
            ("began", .optional(report.began)), ("ended", .optional(report.ended)),
            ("chainHead", .optional(report.chainHead)),
            ("complete", .flag(report.ending.isProven)),
            (
                "containers",
                .list(
                    report.subjects.map {
                        Self.subject(
                            $0.container, $0.userPseudonym, forOthers: $0.pseudonymForOthers)
                    })
            ), ("case", .optional(report.caseReference)),
            ("coverage", .list(report.rows.map(Self.row))),
            ("environment", .optional(report.environment?.rawValue)),
            ("failureCount", .number(Int64(report.failureCount))),
            ("othersByCascade", .number(Int64(report.cascade.others))),
            ("passes", .list(report.passes.map(Self.pass))),
            ("plan", report.plan.map(Self.plan) ?? .absent),
            ("recordsInZones", report.recordsInZones.map { .number(Int64($0)) } ?? .absent),
            ("rehearsal", report.server.map { .flag($0.isRehearsal) } ?? .absent),
            ("request", report.erasureRequest.map(Self.request) ?? .absent),
            ("requests", .number(Int64(report.requests))),
            ("retries", .number(Int64(report.retries))), ("run", .optional(report.runID)),
            ("server", .optional(report.server?.url)),
            ("serverKey", .optional(report.serverKey)),
            ("status", .number(Int64(report.status.rawValue))),
            ("tally", Self.tally(report.tally)),
            ("timings", .list(report.timings.map(Self.timing))),
            ("evidence", .optional(report.evidencePath)),
            ("signed", report.isSigned.map { .flag($0) } ?? .absent),
            ("explanation", .text(report.explanation)),
            ("failures", .list(report.failures.map(Self.failure))),
            ("unmatchedRules", .list(report.unmatchedRules.map(Self.rule))),
        ]
    }

    /// A row as the operator sees it.
    static func row(_ row: CoverageRow) -> EventValue {
        .object(
            counts(
                found: row.found, row.deleted, row.alreadyGone, row.kept, row.left, row.failed) + [
                    ("container", .text(row.container.rawValue)),
                    ("database", .text(row.scope.rawValue)), ("kind", .text(row.kind.rawValue)),
                    ("exported", .countOfExports(row.exported)),
                    ("outcome", .text(row.outcome.rawValue)),
                    ("code", .optional(row.code?.rawValue)), ("reason", .optional(row.reason)),
                    ("subject", .optional(row.subject)),
                ])
    }

    // MARK: Parts

    private static func subject(
        _ container: Container.ID, _ user: String, forOthers: String? = nil
    ) -> EventValue {
        .object([
            ("identifier", .text(container.rawValue)), ("user", .text(user)),
            ("userForOthers", .optional(forOthers)),
        ])
    }

    private static func counts(
        found: Int, _ deleted: Int, _ alreadyGone: Int, _ kept: Int, _ left: Int, _ failed: Int
    ) -> [(String, EventValue)] {
        [
            ("alreadyGone", .number(Int64(alreadyGone))), ("deleted", .number(Int64(deleted))),
            ("failed", .number(Int64(failed))), ("found", .number(Int64(found))),
            ("kept", .number(Int64(kept))), ("left", .number(Int64(left))),
        ]
    }

    private static func tally(_ tally: SweepReport.Tally) -> EventValue {
        .object(
            counts(
                found: tally.found, tally.deleted, tally.alreadyGone, tally.kept, tally.left,
                tally.failed) + [
                    ("exported", .countOfExports(tally.exported)),
                    ("unproven", .number(Int64(tally.unproven))),
                ])
    }

    static func pass(_ pass: VerificationPass) -> EventValue {
        .object([
            ("began", .number(pass.began.milliseconds)),
            ("ended", .number(pass.ended.milliseconds)), ("left", .number(Int64(pass.left))),
            ("number", .number(Int64(pass.number))),
            ("requests", .number(Int64(pass.requests))),
            ("unread", .number(Int64(pass.unread))),
        ])
    }

    private static func failure(_ failure: SweepReport.Failure) -> EventValue {
        .object([
            ("code", .text(failure.code.rawValue)),
            ("container", .text(failure.container.rawValue)),
            ("database", .text(failure.scope.rawValue)), ("kind", .text(failure.kind.rawValue)),
            ("name", .optional(failure.name)), ("reason", .text(failure.reason)),
        ])
    }

    private static func rule(_ rule: ProtectRule) -> EventValue {
        .object([
            ("container", .optional(rule.container?.rawValue)), ("reason", .text(rule.reason)),
            ("recordType", .optional(rule.recordType)), ("zone", .optional(rule.zone)),
        ])
    }

    private static func timing(_ timing: SweepReport.Timing) -> EventValue {
        .object([
            ("milliseconds", .number(timing.took.wholeMilliseconds)),
            ("phase", .text(timing.phase.rawValue)),
        ])
    }

    /// When a request came, under which law, and its last day.
    static func request(_ request: ErasureRequest) -> EventValue {
        .object([
            ("due", .text(request.due.iso8601)),
            ("received", .text(request.receivedOn.iso8601)),
            ("regime", .text(request.regime.rawValue)),
        ])
    }

    static func plan(_ plan: PlanFacts) -> EventValue {
        let totals = plan.totals
        return .object([
            ("created", .number(plan.created.milliseconds)),
            ("databases", .list(plan.scopes.map { .text($0.rawValue) })),
            ("defaultZones", .number(Int64(totals.defaultZones))),
            ("digest", .text(plan.digest)), ("environment", .text(plan.environment.rawValue)),
            ("expires", .number(plan.expires.milliseconds)),
            ("export", .optional(plan.export)),
            ("kept", .number(Int64(totals.kept))), ("nonce", .text(plan.nonce)),
            ("notBefore", .optional(plan.conditions.notBefore)),
            ("phrase", .text(plan.phrase)), ("records", .number(Int64(totals.records))),
            ("rehearsal", .flag(plan.server.isRehearsal)),
            ("request", plan.conditions.request.map(request) ?? .absent),
            ("server", .text(plan.server.url)),
            ("sharedZones", .number(Int64(totals.sharedZones))),
            ("steps", .number(Int64(totals.steps))),
            ("subscriptions", .number(Int64(totals.subscriptions))),
            ("tool", .text(plan.toolVersion)), ("unproven", .number(Int64(totals.unproven))),
            ("userRecords", .number(Int64(totals.userRecords))),
            ("users", .list(plan.subjects.map { subject($0.container, $0.userPseudonym) })),
            ("zones", .number(Int64(totals.zones))),
        ])
    }
}

extension SweepReport {
    /// The report as JSON: everything but given names. The same report gives the same bytes.
    package func json(pretty: Bool = false) -> [UInt8] { description.bytes(pretty: pretty) }

    private var description: EventValue {
        .object(ReportDescription(report: self).fields)
    }

    /// The same as one line of a stream of events, without its end.
    package func jsonLine(_ stamp: EventStamp) -> [UInt8] { stamp.line("report", description) }
}

extension PlanFacts {
    /// What a plan says of itself as one line of a stream of events, without its end.
    package func jsonLine(_ stamp: EventStamp, named name: String) -> [UInt8] {
        stamp.line(name, ReportDescription.plan(self))
    }
}

extension Duration {
    /// Rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
