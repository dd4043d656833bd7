import CommandLine

/// The rules that caused the response to a request.
struct Explanation {
    let lines: [String]
    let events: [Event]

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        let number = try answer.number("request")
        let status = try answer.number("status")
        let reasons = try answer.objects("findings")
        let faults = try answer.texts("faults")
        let more = try answer.number("more")
        var lines = ["request \(number), \(try answer.text("operation")): status \(status)"]
        if !faults.isEmpty { lines.append("  faults: \(faults.joined(separator: ", "))") }
        if status == 0 { lines.append("  no response was sent") }
        if reasons.isEmpty { lines.append("  no item was refused by a rule") }
        for reason in reasons { lines += try Self.lines(reason) }
        if more > 0 { lines.append("  and \(TextTable.grouped(more)) more items") }
        self.lines = lines
        events = reasons.map { reason in
            let keys = ["item", "code", "words", "rule", "fault", "facts", "status", "source"]
            return Event(
                "explanation",
                [.init("request", number)] + keys.map { .init($0, reason.optionalText($0)) })
        }
    }

    private static func lines(_ reason: AdminAnswer) throws(CommandFailure) -> [String] {
        let item = reason.optionalText("item").map { "\($0): " } ?? ""
        let head = "  \(item)\(try reason.text("words"))"
        guard let request = reason.optionalText("request") else { return [head] }
        let source = reason.optionalText("source").map { $0.isEmpty ? "" : ": \($0)" } ?? ""
        return [
            head, "    request: \(request)", "    response: \(try reason.text("response"))",
            "    \(try reason.text("status"))\(source)",
        ]
    }
}
