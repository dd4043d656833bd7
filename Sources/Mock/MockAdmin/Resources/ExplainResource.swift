import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockRules
import MockService

/// The rules behind a response.
struct ExplainResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "explain", query: [.text("request").required],
            answers: [
                .count("request"), .text("operation"), .integer("status", 0...599),
                .text("uuid"), .list("faults", of: .text), .flag("explained"), .count("more"),
                .list("findings", of: "Explanation"),
            ], isStored: false,
            "names the rule behind a response, and how that rule is known", explain)
    ]

    /// Why a request was answered as it was, by its number in the journal or the UUID of its response.
    private func explain() throws(MockError) -> RequestOutcome {
        let text = query["request"] ?? ""
        guard let entry = entry(named: text) else {
            throw MockError(
                status: 404,
                "the journal has no request \"\(text.prefix(80))\": pass the number of a "
                    + "request in the journal, or the uuid of a response that failed as a whole")
        }
        let explanations = Explanation.all(of: entry)
        let failed = entry.codes.values.reduce(0, +)
        return .object { writer in
            writer.member("request", entry.number)
            writer.member("operation", entry.operation)
            writer.member("status", entry.status)
            writer.member("uuid", entry.uuid)
            writer.member("faults", entry.faults)
            writer.member(
                "explained",
                explanations.allSatisfy { $0.failure.cause != nil }
                    && failed == entry.failures.count)
            writer.member("more", failed - entry.failures.count)
            writer.objects("findings", explanations) { $1.writeMembers(to: &$0) }
        }
    }

    private func entry(named text: String) -> RequestJournal.Entry? {
        if let number = Int(text) { return observers.journal.entry(number) }
        var all = RequestJournal.Filter()
        all.limit = .max
        return observers.journal.entries(all).last { $0.uuid == text.lowercased() }
    }
}

extension Explanation {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("item", item)
        writer.member("code", failure.code)
        writer.member("reason", failure.reason)
        writer.member("words", words)
        writer.member("explained", failure.cause != nil)
        writer.member("fault", fault)
        writer.member("facts", facts)
        writer.member("rule", failure.rule)
        guard let rule else { return }
        writer.member("status", rule.status.rawValue)
        writer.member("request", rule.request)
        writer.member("response", rule.response)
        writer.member("source", rule.sources)
        writer.member("date", rule.date)
    }
}
