import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService

/// The faults.
struct FaultsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "faults", answers: [.list("rules", of: "FaultRule")], isStored: false,
            "lists the faults", list),
        AdminEndpoint(
            "PUT", "faults", takes: .json("rules, or a list of rules, or one", "FaultRules"),
            upTo: AdminEndpoint.listBytesMax, answers: [.list("rules", of: "FaultRule")],
            isStored: false, "replaces all faults, or none if one is invalid", replace),
        AdminEndpoint(
            "POST", "faults", takes: .json("rules, or a list of rules, or one", "FaultRules"),
            upTo: AdminEndpoint.listBytesMax, answers: [.list("rules", of: "FaultRule")],
            isStored: false, "adds faults; one with the same id is replaced", add),
        AdminEndpoint(
            "DELETE", "faults", query: ["id"], answers: [.list("rules", of: "FaultRule")],
            isStored: false, "removes one fault or all", remove),
    ]

    /// A fault; one that was sent without an id is to get one.
    private struct NewFault {
        var rule: FaultRule
        let hasID: Bool
    }

    private func list() -> RequestOutcome {
        .object { writer in
            writer.objects("rules", faults.plan.entries) { writer, entry in
                writer.member("id", entry.rule.id)
                writer.member("text", entry.rule.text)
                entry.rule.writeMembers(to: &writer)
                writer.member("matched", entry.matched)
                writer.member("fired", entry.fired)
            }
        }
    }

    private func replace() throws(MockError) -> RequestOutcome { try set(replacing: true) }

    private func add() throws(MockError) -> RequestOutcome { try set(replacing: false) }

    /// The id of a rule that is to get one; no text names a rule so.
    private static let unnamed = "not named yet"

    /// `{"rules": […]}`, a list of rules or one rule.
    private func set(replacing: Bool) throws(MockError) -> RequestOutcome {
        var values = [body]
        if body.kind == .array {
            values = Array(body.elements)
        } else if body["rules"] != nil {
            try body.allow(["rules"])
            values = try body.list("rules")
        }
        var rules: [NewFault] = []
        for value in values {
            let rule = try FaultRule(json: value, id: Self.unnamed)
            rules.append(
                NewFault(
                    rule: rule,
                    hasID: value.kind == .object
                        ? value.present("id") != nil : rule.id != Self.unnamed))
        }
        return try set(rules, replacing: replacing)
    }

    /// Sets all rules or none.
    private func set(
        _ rules: [NewFault], replacing: Bool
    ) throws(MockError) -> RequestOutcome {
        var plan = faults.plan
        if replacing { plan.removeAll() }
        var names: Set<String> = []
        for new in rules {
            var rule = new.rule
            if !new.hasID { rule.id = Self.freeID(in: plan) }
            guard names.insert(rule.id).inserted else {
                throw MockError("two faults are named \"\(rule.id)\"; nothing was set")
            }
            do throws(FaultError) {
                try plan.set(rule, containers: admin.servedContainers, now: clock.now)
            } catch {
                throw MockError("fault \(rule.id): \(error)")
            }
        }
        faults.plan = plan
        return list()
    }

    /// The first of `fault-1`, `fault-2`, … that is not taken.
    private static func freeID(in plan: FaultPlan) -> String {
        let taken = Set(plan.entries.map(\.rule.id))
        var number = taken.count + 1
        while taken.contains("fault-\(number)") { number += 1 }
        return "fault-\(number)"
    }

    private func remove() throws(MockError) -> RequestOutcome {
        if let id = query["id"] {
            guard faults.plan.remove(id: id) else {
                throw MockError(status: 404, "there is no fault with that id")
            }
        } else {
            faults.plan.removeAll()
        }
        return list()
    }
}
