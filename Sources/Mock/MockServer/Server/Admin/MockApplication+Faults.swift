import HTTPServer
import JSON

extension MockApplication {
    func listFaults() -> RequestOutcome {
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

    /// Sets all rules or none.
    func setFaults(_ rules: [AdminRequest.NewFault], replacing: Bool) throws(AdminError)
        -> RequestOutcome
    {
        var plan = faults.plan
        if replacing { plan.removeAll() }
        var names: Set<String> = []
        for new in rules {
            var rule = new.rule
            if !new.hasID { rule.id = Self.freeID(in: plan) }
            guard names.insert(rule.id).inserted else {
                throw AdminError("two faults are named \"\(rule.id)\"; nothing was set")
            }
            do throws(FaultError) {
                try plan.set(rule, containers: servedContainers, now: clock.now)
            } catch {
                throw AdminError("fault \(rule.id): \(error)")
            }
        }
        faults.plan = plan
        return listFaults()
    }

    /// The first of `fault-1`, `fault-2`, … that is not taken.
    private static func freeID(in plan: FaultPlan) -> String {
        let taken = Set(plan.entries.map(\.rule.id))
        var number = taken.count + 1
        while taken.contains("fault-\(number)") { number += 1 }
        return "fault-\(number)"
    }

    /// Takes a rule away, or all of them.
    func removeFaults(id: String?) throws(AdminError) -> RequestOutcome {
        if let id {
            guard faults.plan.remove(id: id) else {
                throw AdminError(status: 404, "there is no fault with that id")
            }
        } else {
            faults.plan.removeAll()
        }
        return listFaults()
    }
}
