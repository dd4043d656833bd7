import Basics
import HTTPServer
import JSON

/// Which findings to show; nil fits all.
struct FindingFilter {
    var rule: ClientFinding.Rule?
    var user: String?
    /// Whether the clients have ended.
    var isFinal = false

    func fits(_ finding: ClientFinding) -> Bool {
        (rule ?? finding.rule) == finding.rule && (user == nil || user == finding.client.user)
    }
}

extension MockApplication {
    func listFindings(_ filter: FindingFilter) -> RequestOutcome {
        let report = observers.checker.report(final: filter.isFinal)
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

    func clearFindings() -> RequestOutcome {
        observers.forgetFindings()
        return .object { $0.member("kept", 0) }
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

extension AdminRequest {
    static func findings(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        var filter = FindingFilter()
        filter.user = input.query["user"]
        if let text = input.query["rule"] {
            guard let rule = ClientFinding.Rule(rawValue: text) else {
                let names = ClientFinding.Rule.allCases.map(\.rawValue)
                throw AdminError(
                    "there is no rule \"\(text)\"\(NearestName.hint(for: text, among: names))")
            }
            filter.rule = rule
        }
        filter.isFinal = try input.query.flag("final")
        return .listFindings(filter)
    }
}
