import JSON

// Requests about gates.
extension AdminRequest {
    /// `{"name": "g1", "when": "next modify by device phone", "at": "after-commit"}`
    static func newGate(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let body = input.body
        let name = try body.requiredText("name")
        guard let when = body.present("when") else {
            throw body.refusal("needs \"when\": which requests to hold")
        }
        let deadline = try body.decimal("deadline")
        let point: GatePoint? = try body.choice("at")
        let id = "gate-" + name
        var text = "hold " + FaultWord.written(name)
        if let point { text += " at \(point.rawValue)" }
        if let deadline { text += " deadline=\(deadline)s" }
        let words = when.string
        let conditions = words == nil ? try FaultRule.conditions(when) : [:]
        do throws(FaultError) {
            var rule = try FaultRule(id: id, text: "\(words ?? "request") -> \(text)")
            if words == nil { rule = try rule.matching(conditions) }
            rule.id = id
            return .setGate(rule)
        } catch {
            throw AdminError(error.description)
        }
    }

    /// `{"name": "g1", "count": 2}` or `{"name": "g1", "numbers": [4, 3]}`
    static func gateRelease(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let body = input.body
        let count = try body.number("count", in: 1...Int64(Gates.heldMax))
        var numbers: [Int]?
        if body.present("numbers") != nil {
            guard count == nil else { throw AdminError("either count or numbers, not both") }
            numbers = []
            for value in try body.list("numbers") {
                guard let number = value.int64, (1...1_000_000_000).contains(number) else {
                    throw value.refusal("must be the number of a held request")
                }
                numbers?.append(Int(number))
            }
        }
        return .releaseGate(try body.requiredText("name"), count: count, numbers: numbers)
    }
}
