import CloudModel
import HTTPServer
import JSON

extension MockApplication {
    func listFaults() -> Outcome {
        adminAnswer { writer in
            writer.key("rules")
            writer.beginArray()
            for entry in faults.entries {
                writer.beginObject()
                writer.member("id", entry.rule.id)
                writer.member("text", entry.rule.text)
                entry.rule.writeMembers(to: &writer)
                writer.member("matched", entry.matched)
                writer.member("fired", entry.fired)
                writer.endObject()
            }
            writer.endArray()
        }
    }

    /// Sets all rules of the request or none.
    func putFaults(_ ask: AdminRequest, replacing: Bool) throws(AdminError) -> Outcome {
        var plan = faults
        if replacing { plan.removeAll() }
        let values: [JSONValue]
        if ask.body.kind == .array {
            values = Array(ask.body.elements)
        } else if ask.body["rules"] != nil {
            try ask.body.allow(["rules"])
            values = try ask.body.list("rules")
        } else {
            values = [ask.body]
        }
        for value in values {
            let rule = try FaultRule(json: value, id: freeID(in: plan))
            do throws(FaultError) {
                try plan.set(rule, containers: configuration.containers)
            } catch {
                throw AdminError("fault \(rule.id): \(error)")
            }
        }
        faults = plan
        return listFaults()
    }

    /// The first of `fault-1`, `fault-2`, … that is not taken.
    private func freeID(in plan: FaultPlan) -> String {
        let taken = Set(plan.entries.map(\.rule.id))
        var number = taken.count + 1
        while taken.contains("fault-\(number)") { number += 1 }
        return "fault-\(number)"
    }

    func removeFaults(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        if let id = ask.query["id"] {
            guard faults.remove(id: id) else {
                throw AdminError(status: 404, "there is no fault of that id")
            }
        } else {
            faults.removeAll()
        }
        return listFaults()
    }
}
