import Basics
import ClientLinter
import CloudWire
import HTTPServer
import JSON
import MockService

/// What the checks of clients found.
struct FindingsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "findings",
            query: [
                Shape.Member("rule", .choice(of: ClientFinding.Rule.self)), "user", .flag("final"),
            ],
            answers: [
                .flag("check"), .list("findings", of: "ClientFinding"), .count("dropped"),
                .list("rules", of: "ClientRule"),
            ], isStored: false,
            "lists what clients did wrong, with the requests that prove it, and the checks", list),
        AdminEndpoint(
            "DELETE", "findings", answers: ["kept"], isStored: false,
            "discards the findings, and what clients have done so far", clear),
    ]

    private func list() throws(MockError) -> RequestOutcome {
        var filter = FindingFilter()
        filter.user = query["user"]
        if let text = query["rule"] {
            guard let rule = ClientFinding.Rule(rawValue: text) else {
                let names = ClientFinding.Rule.allCases.map(\.rawValue)
                throw MockError(
                    "there is no rule \"\(text)\"\(NearestName.hint(for: text, among: names))")
            }
            filter.rule = rule
        }
        filter.isFinal = try query.flag("final")
        return list(filter)
    }

    private func list(_ filter: FindingFilter) -> RequestOutcome {
        let report = observers.linter.report(final: filter.isFinal)
        let findings = report.findings.filter(filter.fits)
        return .object { writer in
            writer.member("check", observers.checksClients)
            writer.objects("findings", findings) { $1.writeMembers(to: &$0) }
            writer.member("dropped", report.dropped)
            writer.objects("rules", ClientFinding.Rule.allCases) { writer, rule in
                rule.writeMembers(to: &writer)
            }
        }
    }

    private func clear() -> RequestOutcome {
        observers.forgetFindings()
        return .object { $0.member("kept", 0) }
    }
}

/// Which findings to show; nil fits all.
private struct FindingFilter {
    var rule: ClientFinding.Rule?
    var user: String?
    /// Whether the clients have ended.
    var isFinal = false

    func fits(_ finding: ClientFinding) -> Bool {
        (rule ?? finding.rule) == finding.rule && (user == nil || user == finding.client.user)
    }
}

extension ClientFinding {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("number", number)
        rule.writeMembers(to: &writer)
        writer.member("user", client.user)
        writer.member("device", client.device)
        writer.member("clientId", client.clientID)
        writer.member("container", address?.container.rawValue)
        writer.member("environment", address?.environment.rawValue)
        writer.member("database", address?.scope.rawValue)
        writer.member("zone", zoneName)
        writer.key("requests")
        writer.beginArray()
        for request in requests { writer.int64(Int64(request)) }
        writer.endArray()
        writer.member("times", times)
        writer.member("message", message)
    }
}

extension ClientFinding.Rule {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("rule", rawValue)
        writer.member("about", about)
        writer.member("instead", remedy)
    }
}
