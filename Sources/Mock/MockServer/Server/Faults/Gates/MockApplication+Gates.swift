import Basics
package import HTTPServer
import JSON

/// How requests wait at gates, and go on.
extension MockApplication {
    /// Has a request wait, until it is released or its time is up. It goes on at once where the gate has gone
    /// since that was decided, as with its rule while the request waited at another.
    func wait(
        at hold: GateHold, _ facts: HeldFacts, _ exchange: ExchangeID, _ loop: HTTPLoop,
        then next: @escaping () -> RequestOutcome
    ) -> HTTPAnswer {
        guard !gates.areOpen,
            faults.plan.entries.contains(where: { $0.rule.hold?.gate == hold.gate })
        else { return carryOut(next(), exchange, loop) }
        guard
            let number = gates.add(
                hold, facts, since: clock.now, exchange, batch, next)
        else {
            // What is carried out already must not be told of as if it were not.
            guard !hold.point.isAfterCommit else { return .cut }
            return .respond(adminResponse(AdminError(status: 503, "too many requests are held")))
        }
        let timer = loop.schedule(after: hold.deadline) { [weak self] loop in
            guard let self, let held = gates.expire(number) else { return }
            goOn([held], loop)
        }
        gates.setTimer(timer, of: number)
        return .later
    }

    /// Goes on with requests that were held, one after another.
    func goOn(_ released: [Gates.Held], _ loop: HTTPLoop) {
        loop.commitTurn()
        for held in released {
            if let timer = held.timer { loop.cancel(timer) }
            if held.hold.point.isAfterCommit, held.batch.outcome != .committed {
                fail(held.exchange, held.batch, loop)
                continue
            }
            switch carryOut(held.next(), held.exchange, loop) {
            case .respond(var response):
                // Its batch is committed; the one that is open now does not matter to it.
                if held.hold.point.isAfterCommit, held.batch !== batch {
                    response.survivesRollback = true
                }
                loop.respond(to: held.exchange, response)
            case .cut: loop.cut(held.exchange)
            case .later: break
            }
        }
    }

    /// Lets every request go on in the next turn of the loop.
    func releaseAll() {
        freed += gates.release(nil, count: nil)
    }

    /// Goes on with what was let go in the turn that ends.
    func goOnFreed(_ loop: HTTPLoop) {
        guard !freed.isEmpty else { return }
        let released = freed
        freed = []
        loop.schedule(after: .zero) { [self] in goOn(released, $0) }
    }

    package func willStop(_ loop: HTTPLoop) {
        gates.areOpen = true
        goOn(gates.release(nil, count: nil), loop)
    }

    // MARK: - Administration

    /// The names of gates: where rules hold requests, or some wait.
    private var gateNames: [String] {
        let ruled = faults.plan.entries.compactMap(\.rule.hold?.gate)
        return Set(ruled + gates.waiting.map(\.hold.gate)).sorted()
    }

    func listGates() -> RequestOutcome {
        adminAnswer { writer in
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
            guard let chosen = gates.release(name, numbers: numbers) else {
                throw AdminError(
                    status: 409,
                    "numbers must be of requests held at \"\(name)\", each once; none was released"
                )
            }
            released = chosen
        } else {
            released = gates.release(name, count: count)
        }
        let left = gates.waiting.count { $0.hold.gate == name }
        return .release(
            released,
            adminResponse { writer in
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
        let released = gates.release(name, count: nil)
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
