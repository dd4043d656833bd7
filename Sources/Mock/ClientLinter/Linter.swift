import Basics

/// Checks the requests of clients, and reports where they break the service's contract.
///
/// A value that gets one request after the other, in the order of the journal. It keeps a bounded number of clients, of
/// tokens, zones and failures of each, and of findings: what was dropped cannot be part of a finding.
package struct Linter: Sendable {
    /// Clients whose history is kept; the one without a request for the longest time is dropped first.
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

    /// Breaches of one kind are one finding.
    private struct Kind: Hashable {
        let rule: ClientFinding.Rule
        let client: ClientName
        let place: ClientPlace?
        let subject: String
    }

    private var clients = RecentValues<ClientName, Client>(Linter.clientsMax)
    private var known: [ClientFinding] = []
    /// Where in `known` a finding of a kind is.
    private var indexes: [Kind: Int] = [:]
    /// Findings that were not kept.
    private var dropped = 0

    package init() {}

    /// Checks the next request.
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

    /// The findings so far.
    ///
    /// - Parameter final: Whether the clients have ended, so that missing requests count too.
    package func findings(final: Bool = false) -> [ClientFinding] { report(final: final).findings }

    /// The findings so far, and the number of those that were not kept.
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

    /// Discards all findings, and the history of all clients.
    package mutating func removeAll() { self = Linter() }

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
