import CloudModel
import CloudWire
package import JSON

/// The JSON form:
///
///     {"id": "f1", "when": {"operation": "zones/modify", "nth": 3}, "do": {"kind": "emptyPage"}}
extension FaultRule {
    private static let whenKeys = [
        "operation", "container", "scope", "zone", "recordType", "user", "device", "nth", "every",
        "times",
        "probability",
    ]
    private static let actionKeys = [
        "kind", "code", "retryAfter", "reason", "items", "milliseconds", "records", "perSecond",
        "burst",
    ]
    private static let kinds = [
        "error", "itemError", "dropItems", "repeatItems", "delay", "cutBeforeCommit",
        "cutAfterCommit", "staleZoneList", "emptyPage", "repeatPage", "recreateZone", "throttle",
    ]

    /// Reads the JSON form, or the text form from a string.
    ///
    /// - Parameter id: Used where the value gives none.
    package init(json value: JSONValue, id: String) throws(AdminError) {
        if let text = value.string {
            do { try self.init(id: id, text: text) } catch {
                throw AdminError(error.description)
            }
            return
        }
        try value.allow(["id", "when", "do"])
        guard let when = value.present("when"), let action = value.present("do") else {
            throw value.refusal("needs \"when\" and \"do\"")
        }
        try when.allow(Self.whenKeys)
        let name = try when.text("operation") ?? "any"
        guard let operation = FaultOperation(name) else {
            throw when.refusal(
                "unknown operation \"\(name)\"; nearest: \(FaultOperation.nearest(to: name))")
        }
        self.init(id: try value.text("id") ?? id, operation, try Self.action(action))
        container = try when.text("container").map { Glob($0) }
        zone = try when.text("zone").map { Glob($0) }
        recordType = try when.text("recordType")
        user = try when.text("user")
        device = try when.text("device")
        let counts: ClosedRange<Int64> = 1...1_000_000_000
        nth = try when.number("nth", in: counts)
        every = try when.number("every", in: counts)
        times = try when.number("times", in: counts)
        probability = try when.decimal("probability")
        if let text = try when.text("scope") {
            guard let scope = Database.Scope(rawValue: text) else {
                throw when.refusal("scope must be private, shared or public")
            }
            self.scope = scope
        }
    }

    private static func action(_ value: JSONValue) throws(AdminError) -> FaultAction {
        try value.allow(actionKeys)
        let kind = try value.requiredText("kind")
        func number(_ key: String, _ otherwise: Int) throws(AdminError) -> Int {
            try value.number(key, in: 0...1_000_000_000) ?? otherwise
        }
        switch kind {
        case "error":
            return .error(
                try code(value), retryAfterSeconds: try value.decimal("retryAfter"),
                reason: try value.text("reason"))
        case "itemError":
            return .itemError(
                try code(value), try items(value),
                retryAfterSeconds: try value.decimal("retryAfter"))
        case "dropItems": return .dropItems(try items(value))
        case "repeatItems": return .repeatItems(try items(value))
        case "delay": return .delay(milliseconds: try number("milliseconds", 0))
        case "cutBeforeCommit": return .cutBeforeCommit
        case "cutAfterCommit": return .cutAfterCommit
        case "staleZoneList": return .staleZoneList
        case "emptyPage": return .emptyPage
        case "repeatPage": return .repeatPage
        case "recreateZone": return .recreateZone(records: try number("records", 1))
        case "throttle":
            return .throttle(
                perSecond: try value.decimal("perSecond") ?? 0, burst: try number("burst", 1))
        default:
            throw value.refusal(
                "unknown kind \"\(kind)\"; nearest: "
                    + (NearestName.closest(to: kind, among: kinds) ?? ""))
        }
    }

    /// `"items": 2`, `"records": "all"`; without either, all items.
    private static func items(_ value: JSONValue) throws(AdminError) -> FaultItems {
        let unit: FaultItems.Unit = value.present("records") == nil ? .items : .records
        if value[unit.rawValue]?.isString("all") == true { return FaultItems(nil, unit) }
        return FaultItems(
            try value.number(unit.rawValue, in: 1...Int64(WireLimits.operationsMax)), unit)
    }

    private static func code(_ value: JSONValue) throws(AdminError) -> CloudError.Code {
        let text = try value.requiredText("code")
        guard let code = CloudError.Code(rawValue: text) else {
            let all = CloudError.Code.allCases.filter(\.isServiceCode).map(\.rawValue)
            throw value.refusal(
                "unknown code \"\(text)\"; nearest: "
                    + (NearestName.closest(to: text, among: all) ?? ""))
        }
        return code
    }

    /// Writes the JSON form, which ``init(json:id:)`` reads back.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writeMembers(to: &writer)
        }
    }

    /// The members of the JSON form but the id.
    func writeMembers(to writer: inout JSONWriter) {
        writer.object("when") { writer in
            writer.member("operation", operation.description)
            writer.member("container", container?.pattern)
            writer.member("scope", scope?.rawValue)
            writer.member("zone", zone?.pattern)
            writer.member("recordType", recordType)
            writer.member("user", user)
            writer.member("device", device)
            writer.member("nth", nth)
            writer.member("every", every)
            writer.member("times", times)
            writer.member("probability", probability)
        }
        writer.object("do") { writer in
            writer.member("kind", action.kind)
            writeAction(to: &writer)
        }
    }

    private func write(_ items: FaultItems, _ writer: inout JSONWriter) {
        writer.member(items.unit.rawValue, items.count)
        if items.count == nil { writer.member(items.unit.rawValue, "all") }
    }

    private func writeAction(to writer: inout JSONWriter) {
        switch action {
        case .error(let code, let seconds, let reason):
            writer.member("code", code.rawValue)
            writer.member("retryAfter", seconds)
            writer.member("reason", reason)
        case .itemError(let code, let items, let seconds):
            writer.member("code", code.rawValue)
            write(items, &writer)
            writer.member("retryAfter", seconds)
        case .dropItems(let items), .repeatItems(let items): write(items, &writer)
        case .delay(let milliseconds): writer.member("milliseconds", milliseconds)
        case .recreateZone(let records): writer.member("records", records)
        case .throttle(let perSecond, let burst):
            writer.member("perSecond", perSecond)
            writer.member("burst", burst)
        case .cutBeforeCommit, .cutAfterCommit, .staleZoneList, .emptyPage, .repeatPage: break
        }
    }
}
