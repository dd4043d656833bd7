/// Checks what clients send, and reports where they break the service's contract.
///
/// A value that is given one request after the other, in the order of the journal. It keeps a bounded
/// number of clients, of things to remember for each, and of findings: what it forgets it cannot find.
package struct ClientChecker: Sendable {
    /// Clients that are remembered; those that have been silent longest go first.
    package static let clientsMax = 1000
    /// Findings that are kept; later ones are counted only.
    package static let findingsMax = 1000

    private struct Client: Sendable {
        var rules: [any ClientRule] = [
            FeedRule(), RetryRule(), LostWriteRule(), ItemErrorRule(), ZoneRule(), ConflictRule(),
            RequestTextRule(),
        ]
        var last = 0
    }

    /// What makes two breaches one finding.
    private struct Kind: Hashable {
        let rule: ClientFinding.Rule
        let client: ClientName
        let place: ClientPlace?
        let subject: String
    }

    private var clients = RecentValues<ClientName, Client>(ClientChecker.clientsMax)
    private var known: [ClientFinding] = []
    /// Where in `known` a finding of a kind is.
    private var indexes: [Kind: Int] = [:]
    /// Findings that were not kept.
    private var dropped = 0

    package init() {}

    /// Looks at the next request.
    package mutating func note(_ exchange: ClientExchange) {
        var client = clients[exchange.client] ?? Client()
        client.last = exchange.number
        for index in client.rules.indices {
            for breach in client.rules[index].note(exchange) {
                Self.add(breach, of: exchange.client, to: &known, &indexes, &dropped)
            }
        }
        clients[exchange.client] = client
    }

    /// What was found so far.
    ///
    /// - Parameter final: Whether the clients have ended, so that what they left undone counts too.
    package func findings(final: Bool = false) -> [ClientFinding] { report(final: final).findings }

    /// The same, with the number of those that were not kept.
    package func report(final: Bool) -> (findings: [ClientFinding], dropped: Int) {
        guard final else { return (known, dropped) }
        var (known, indexes, dropped) = (known, indexes, dropped)
        for (name, client) in clients.all {
            for rule in client.rules {
                for breach in rule.left(after: client.last) {
                    Self.add(breach, of: name, to: &known, &indexes, &dropped)
                }
            }
        }
        return (known, dropped)
    }

    /// Forgets all findings, and what clients have done so far.
    package mutating func removeAll() { self = ClientChecker() }

    private static func add(
        _ breach: ClientBreach, of client: ClientName, to known: inout [ClientFinding],
        _ indexes: inout [Kind: Int], _ dropped: inout Int
    ) {
        let kind = Kind(
            rule: breach.rule, client: client, place: breach.place, subject: breach.subject)
        if let index = indexes[kind] {
            known[index].times += 1
            return
        }
        guard known.count < findingsMax else {
            dropped += 1
            return
        }
        indexes[kind] = known.count
        known.append(
            ClientFinding(
                number: known.count + 1, rule: breach.rule, client: client,
                address: breach.place?.address, zoneName: breach.place?.zoneName,
                requests: breach.requests, message: breach.message))
    }
}
