import Basics
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService

/// The gates, at which faults hold requests.
struct GatesResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "gates", answers: [.list("gates", of: "AdminGate"), "timedOut"],
            isStored: false, "lists the gates, and the requests held at each", list),
        AdminEndpoint(
            "POST", "gates",
            takes: .object([
                Shape.Member("name", AdminVocabulary.name).required,
                Shape.Member("when", .oneOf([.text, .map(.any)])).required,
                Shape.Member("at", .choice(of: GatePoint.self)), .number("deadline"),
            ]),
            answers: [.list("gates", of: "AdminGate"), "timedOut"], isStored: false,
            "holds requests at a gate", add),
        AdminEndpoint(
            "POST", "gates/release",
            takes: .object([
                Shape.Member("name", AdminVocabulary.name).required,
                .integer("count", 1...Int64(Gates.heldMax)), .list("numbers", of: .integer),
            ]),
            answers: [.list("released", of: .integer), .count("left")], isStored: false,
            "releases requests held at a gate: all, the first of them, or some in a given order",
            release),
        AdminEndpoint(
            "DELETE", "gates", query: [Shape.Member("name", AdminVocabulary.name)],
            answers: [.list("gates", of: "AdminGate"), "timedOut"], isStored: false,
            "removes a gate or all, and releases the requests held there", remove),
    ]

    private var gates: Gates { scheduler.gates }

    /// The names of gates: where rules hold requests, or some wait.
    private var gateNames: [String] {
        let ruled = faults.plan.entries.compactMap(\.rule.hold?.gate)
        return Set(ruled + gates.waiting.map(\.hold.gate)).sorted()
    }

    private func list() -> RequestOutcome {
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

    /// `{"name": "g1", "when": "next modify by device phone", "at": "after-commit"}`
    private func add() throws(MockError) -> RequestOutcome {
        let name = try body.requiredText("name")
        guard let when = body.present("when") else {
            throw body.refusal("needs \"when\": which requests to hold")
        }
        let deadline = try body.decimal("deadline")
        let point: GatePoint? = try body.choice("at")
        let id = "gate-" + name
        var text = "hold " + FaultWord.written(name)
        if let point { text += " at \(point.rawValue)" }
        if let deadline { text += " deadline \(deadline)s" }
        let words = when.string
        let conditions = words == nil ? try FaultRule.conditions(when) : [:]
        do throws(FaultError) {
            var rule = try FaultRule(id: id, text: "\(words ?? "request") -> \(text)")
            if words == nil { rule = try rule.matching(conditions) }
            rule.id = id
            // It replaces the one that was set for this gate before.
            try faults.plan.set(rule, containers: admin.servedContainers, now: clock.now)
        } catch {
            throw MockError(error.description)
        }
        return list()
    }

    /// `{"name": "g1", "count": 2}` or `{"name": "g1", "numbers": [4, 3]}`
    private func release() throws(MockError) -> RequestOutcome {
        let count = try body.number("count", in: 1...Int64(Gates.heldMax))
        var numbers: [Int]?
        if body.present("numbers") != nil {
            guard count == nil else { throw MockError("either count or numbers, not both") }
            numbers = []
            for value in try body.list("numbers") {
                guard let number = value.int64, (1...1_000_000_000).contains(number) else {
                    throw value.refusal("must be the number of a held request")
                }
                numbers?.append(Int(number))
            }
        }
        return try release(try body.requiredText("name"), count: count, numbers: numbers)
    }

    private func release(
        _ name: String, count: Int?, numbers: [Int]?
    ) throws(MockError) -> RequestOutcome {
        try requireGate(name)
        var released: [Gates.Held] = []
        if let numbers {
            guard let chosen = scheduler.gates.release(name, numbers: numbers) else {
                throw MockError(
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

    /// Removes the faults of a gate, or of all, and releases the requests held there.
    private func remove() throws(MockError) -> RequestOutcome {
        let name = query["name"]
        if let name { try requireGate(name) }
        for rule in faults.plan.entries.map(\.rule) {
            guard let gate = rule.hold?.gate, gate == name ?? gate else { continue }
            _ = faults.plan.remove(id: rule.id)
        }
        let released = scheduler.gates.release(name, count: nil)
        guard case .respond(let response, _) = list() else { return list() }
        return .release(released, response)
    }

    private func requireGate(_ name: String) throws(MockError) {
        let names = gateNames
        guard names.contains(name) else {
            throw MockError(
                status: 404,
                "there is no gate \"\(name)\"" + NearestName.hint(for: name, among: names))
        }
    }
}
