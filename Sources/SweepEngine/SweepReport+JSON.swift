import CloudModel
import DeletionPlanning
import JSON

extension SweepReport {
    /// The report as JSON: everything but given names. The same report gives the same bytes.
    package func json(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.beginObject()
        writer.optional("allowPartial", allowPartial)
        writer.optional("application", application)
        writer.optional("began", began?.milliseconds)
        writer.optional("chainHead", chainHead)
        writer.list("containers", subjects) { $1.members(of: $0.container, $0.userPseudonym) }
        writer.list("coverage", rows) { row, writer in
            writer.members(of: row, code: row.code, reason: row.reason, subject: row.subject)
        }
        writer.optional("ended", ended?.milliseconds)
        writer.optional("environment", environment?.rawValue)
        writer.optional("evidence", evidencePath)
        writer.text("explanation", explanation)
        writer.number("failureCount", Int64(failureCount))
        writer.list("failures", failures) { failure, writer in
            writer.text("code", failure.code.rawValue)
            writer.text("container", failure.container.rawValue)
            writer.text("database", failure.scope.rawValue)
            writer.text("kind", failure.kind.rawValue)
            writer.optional("name", failure.name)
            writer.text("reason", failure.reason)
        }
        writer.list("passes", passes) { $1.members(of: $0) }
        if let plan { Self.write(plan, &writer) }
        writer.number("requests", Int64(requests))
        writer.number("retries", Int64(retries))
        writer.optional("run", runID)
        writer.number("status", Int64(status.rawValue))
        writer.key("tally")
        writer.beginObject()
        let tally = tally
        writer.number("alreadyGone", Int64(tally.alreadyGone))
        writer.number("deleted", Int64(tally.deleted))
        writer.number("failed", Int64(tally.failed))
        writer.number("kept", Int64(tally.kept))
        writer.number("unverified", Int64(tally.unverified))
        writer.endObject()
        writer.list("timings", timings) { timing, writer in
            writer.number("milliseconds", timing.took.wholeMilliseconds)
            writer.text("phase", timing.phase.rawValue)
        }
        writer.list("unmatchedRules", unmatchedRules) { rule, writer in
            writer.optional("container", rule.container?.rawValue)
            writer.text("reason", rule.reason)
            writer.optional("recordType", rule.recordType)
            writer.optional("zone", rule.zone)
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ plan: PlanFacts, _ writer: inout JSONWriter) {
        writer.key("plan")
        writer.beginObject()
        writer.number("created", plan.created.milliseconds)
        writer.list("databases", plan.scopes.map(\.rawValue))
        writer.number("defaultZones", Int64(plan.totals.defaultZones))
        writer.text("digest", plan.digest)
        writer.text("environment", plan.environment.rawValue)
        writer.number("expires", plan.expires.milliseconds)
        writer.number("kept", Int64(plan.totals.kept))
        writer.text("nonce", plan.nonce)
        writer.text("phrase", plan.phrase)
        writer.number("records", Int64(plan.totals.records))
        writer.number("steps", Int64(plan.totals.steps))
        writer.number("subscriptions", Int64(plan.totals.subscriptions))
        writer.text("tool", plan.toolVersion)
        writer.number("userRecords", Int64(plan.totals.userRecords))
        writer.list("users", plan.subjects) { $1.members(of: $0.container, $0.userPseudonym) }
        writer.number("zones", Int64(plan.totals.zones))
        writer.endObject()
    }
}

extension Duration {
    /// Rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

/// What reports and evidence say in the same words.
extension JSONWriter {
    /// A container and who is signed in there.
    mutating func members(of container: Container.ID, _ userPseudonym: String) {
        text("identifier", container.rawValue)
        text("user", userPseudonym)
    }

    mutating func members(of pass: VerificationPass) {
        number("began", pass.began.milliseconds)
        number("ended", pass.ended.milliseconds)
        number("left", Int64(pass.left))
        number("number", Int64(pass.number))
        number("requests", Int64(pass.requests))
        number("unread", Int64(pass.unread))
    }

    /// A row of the coverage map.
    ///
    /// - Parameters:
    ///   - code: As may be told here, like `reason` and `subject`; nil: left out.
    mutating func members(
        of row: CoverageRow, code: CloudError.Code? = nil, reason: String?, subject: String?
    ) {
        number("alreadyGone", Int64(row.alreadyGone))
        optional("code", code?.rawValue)
        text("container", row.container.rawValue)
        text("database", row.scope.rawValue)
        number("deleted", Int64(row.deleted))
        number("failed", Int64(row.failed))
        number("found", Int64(row.found))
        number("kept", Int64(row.kept))
        text("kind", row.kind.rawValue)
        number("left", Int64(row.left))
        text("outcome", row.outcome.rawValue)
        optional("reason", reason)
        optional("subject", subject)
    }
}

extension JSONWriter {
    /// A key with a string, left out when there is none.
    mutating func optional(_ key: String, _ value: String?) {
        if let value { text(key, value) }
    }
    /// A key with an integer, left out when there is none.
    mutating func optional(_ key: String, _ value: Int64?) {
        if let value { number(key, value) }
    }
    /// A key with an array of strings.
    mutating func list(_ key: String, _ values: [String]) {
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }
    /// A key with an array of objects.
    mutating func list<Value>(
        _ key: String, _ values: [Value], _ write: (Value, inout JSONWriter) -> Void
    ) {
        self.key(key)
        beginArray()
        for value in values {
            beginObject()
            write(value, &self)
            endObject()
        }
        endArray()
    }
}
