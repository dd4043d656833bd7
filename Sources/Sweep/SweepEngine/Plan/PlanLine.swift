package import DeletionPlanning
import JSON

/// A plan file's lines: canonical JSON, keys in order, one line each.
package enum PlanLine: Sendable, Hashable {
    case header(PlanHeader)
    /// A step, or a kept item with the reason of the rule that keeps it.
    case item(PlanItem, reason: String?)
    /// The end, with the keyed digest of the state folder that the plan was made with.
    case footer(totals: PlanTotals, digest: String, seal: String)

    /// Version 1 named no server, no places beyond proof, and had no seal; version 2 left no zones
    /// of others.
    static let version: Int64 = 3
    static let format = "cksweep-plan"

    // MARK: Writing

    /// The line's bytes, without the line break.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        switch self {
        case .header(let header): Self.write(header, &writer)
        case .item(.step(let step), _): Self.write(step, &writer)
        case .item(.kept(let item), let reason): Self.write(item, reason, &writer)
        case .item(.unproven(let place), _): Self.write(place, &writer)
        case .footer(let totals, let digest, let seal):
            Self.write(totals, digest, seal, &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ header: PlanHeader, _ writer: inout JSONWriter) {
        writer.key("containers")
        writer.beginArray()
        for subject in header.subjects {
            writer.beginObject()
            writer.text("identifier", subject.container.rawValue)
            writer.text("user", subject.userPseudonym)
            writer.endObject()
        }
        writer.endArray()
        writer.number("created", header.created.milliseconds)
        writer.key("databases")
        writer.beginArray()
        for scope in header.scopes { writer.string(scope.rawValue) }
        writer.endArray()
        writer.text("environment", header.environment.rawValue)
        writer.number("expires", header.expires.milliseconds)
        if let export = header.export { writer.text("export", export) }
        writer.text("format", format)
        writer.text("nonce", header.nonce)
        let conditions = header.conditions
        if let time = conditions.notBefore { writer.number("notBefore", time.milliseconds) }
        if let request = conditions.request {
            writer.text("received", request.receivedOn.iso8601)
            writer.text("regime", request.regime.rawValue)
        }
        writer.key("rehearsal")
        writer.bool(header.server.isRehearsal)
        writer.text("server", header.server.url)
        writer.text("tool", header.toolVersion)
        writer.number("version", version)
    }

    private static func write(_ step: DeletionStep, _ writer: inout JSONWriter) {
        writer.text("container", step.container.rawValue)
        writer.text("database", step.scope.rawValue)
        let names = { (list: [String], writer: inout JSONWriter) in
            writer.key("names")
            writer.beginArray()
            for name in list { writer.string(name) }
            writer.endArray()
        }
        switch step.work {
        case .zones:
            writer.text("delete", "zones")
            names(step.names, &writer)
        case .defaultZone:
            writer.text("delete", "defaultZone")
        case .records(let zone, let type, let list):
            writer.text("delete", "records")
            names(list, &writer)
            writer.text("type", type)
            writer.text("zone", zone.qualifiedName)
        case .subscriptions(let ids):
            writer.text("delete", "subscriptions")
            names(ids, &writer)
        case .userRecord:
            writer.text("delete", "userRecord")
        }
    }

    private static func write(
        _ item: KeptItem, _ reason: String?, _ writer: inout JSONWriter
    ) {
        let rule: Int? = if case .rule(let index) = item.because { index } else { nil }
        switch item.because {
        case .rule: writer.text("because", "rule")
        case .holdsKept: writer.text("because", "holdsKept")
        case .staysWithOwner: writer.text("because", "staysWithOwner")
        case .notLookedInto: writer.text("because", "notLookedInto")
        }
        writer.text("container", item.container.rawValue)
        writer.text("database", item.scope.rawValue)
        let finish = { (writer: inout JSONWriter) in
            if let reason { writer.text("reason", reason) }
            if let rule { writer.number("rule", Int64(rule)) }
        }
        switch item.what {
        case .zone(let zone):
            writer.text("keep", "zone")
            writer.text("name", zone.qualifiedName)
            finish(&writer)
        case .defaultZone:
            writer.text("keep", "defaultZone")
            finish(&writer)
        case .record(let zone, let type, let name):
            writer.text("keep", "record")
            writer.text("name", name)
            finish(&writer)
            writer.text("type", type)
            writer.text("zone", zone.qualifiedName)
        case .subscription(let id):
            writer.text("keep", "subscription")
            writer.text("name", id)
            finish(&writer)
        case .userRecord:
            writer.text("keep", "userRecord")
            finish(&writer)
        }
    }

    private static func write(_ place: UnprovenPlace, _ writer: inout JSONWriter) {
        writer.text("container", place.container.rawValue)
        writer.text("database", place.scope.rawValue)
        writer.text("subject", place.subject)
        writer.text("unproven", place.place)
    }

    private static func write(
        _ totals: PlanTotals, _ digest: String, _ seal: String, _ writer: inout JSONWriter
    ) {
        writer.number("defaultZones", Int64(totals.defaultZones))
        writer.text("digest", digest)
        writer.number("kept", Int64(totals.kept))
        writer.number("records", Int64(totals.records))
        writer.text("seal", seal)
        writer.number("sharedZones", Int64(totals.sharedZones))
        writer.number("steps", Int64(totals.steps))
        writer.number("subscriptions", Int64(totals.subscriptions))
        writer.number("unproven", Int64(totals.unproven))
        writer.number("userRecords", Int64(totals.userRecords))
        writer.number("zones", Int64(totals.zones))
    }
}

extension JSONWriter {
    /// A key with a string.
    mutating func text(_ key: String, _ value: String) {
        self.key(key)
        string(value)
    }
    /// A key with an integer.
    mutating func number(_ key: String, _ value: Int64) {
        self.key(key)
        int64(value)
    }
}
