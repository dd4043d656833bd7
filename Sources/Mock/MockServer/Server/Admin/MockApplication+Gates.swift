import Basics
import HTTPServer
import JSON

extension MockApplication {
    private var gates: Gates { scheduler.gates }

    /// The names of gates: where rules hold requests, or some wait.
    private var gateNames: [String] {
        let ruled = faults.plan.entries.compactMap(\.rule.hold?.gate)
        return Set(ruled + gates.waiting.map(\.hold.gate)).sorted()
    }

    func listGates() -> RequestOutcome {
        .object { writer in
            writer.objects("gates", gateNames) { writer, name in
                writer.member("name", name)
                writer.member(
                    "rules",
                    faults.plan.entries.map(\.rule).filter { $0.hold?.gate == name }.map(\.id))
                writer.objects("waiting", gates.waiting.filter { $0.hold.gate == name }) {
                    writer, held in
                    writer.member("number", held.number)
                    writer.member("at", held.hold.point.rawValue)
                    writer.member("operation", held.facts.operation)
                    writer.member("user", held.facts.user)
                    writer.member("device", held.facts.device)
                    writer.member("zones", held.facts.zones)
                    writer.member("time", Int(held.since.milliseconds))
                }
            }
            writer.member("timedOut", gates.timedOut)
        }
    }

    /// Sets the rule that holds requests at a gate, in place of the one that was set so before.
    func setGate(_ rule: FaultRule) throws(AdminError) -> RequestOutcome {
        _ = try setFaults([.init(rule: rule, hasID: true)], replacing: false)
        return listGates()
    }

    func releaseGate(
        _ name: String, count: Int?, numbers: [Int]?
    ) throws(AdminError) -> RequestOutcome {
        try requireGate(name)
        var released: [Gates.Held] = []
        if let numbers {
            guard let chosen = scheduler.gates.release(name, numbers: numbers) else {
                throw AdminError(
                    status: 409,
                    "numbers must be of requests held at \"\(name)\", each once; none was released"
                )
            }
            released = chosen
        } else {
            released = scheduler.gates.release(name, count: count)
        }
        let left = gates.waiting.count { $0.hold.gate == name }
        return .release(
            released,
            HTTPResponse.object { writer in
                writer.key("released")
                writer.beginArray()
                for held in released { writer.int64(Int64(held.number)) }
                writer.endArray()
                writer.member("left", left)
            })
    }

    /// Takes the rules of a gate away, or of all, and lets go who waits there.
    func removeGates(_ name: String?) throws(AdminError) -> RequestOutcome {
        if let name { try requireGate(name) }
        for rule in faults.plan.entries.map(\.rule) {
            guard let gate = rule.hold?.gate, gate == name ?? gate else { continue }
            _ = faults.plan.remove(id: rule.id)
        }
        let released = scheduler.gates.release(name, count: nil)
        guard case .respond(let response, _) = listGates() else { return listGates() }
        return .release(released, response)
    }

    private func requireGate(_ name: String) throws(AdminError) {
        let names = gateNames
        guard names.contains(name) else {
            throw AdminError(
                status: 404,
                "there is no gate \"\(name)\"" + NearestName.hint(for: name, among: names))
        }
    }
}
