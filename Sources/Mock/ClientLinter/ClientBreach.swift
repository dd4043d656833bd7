/// A breach of one rule in the requests of one client.
struct ClientBreach: Sendable, Hashable {
    let rule: ClientFinding.Rule
    let place: ClientPlace?
    /// Distinguishes breaches of the same rule in the same place, such as by the name of a record.
    let subject: String
    let requests: [Int]
    let message: String

    init(
        _ rule: ClientFinding.Rule, in place: ClientPlace?, _ subject: String = "",
        requests: [Int], _ message: String
    ) {
        self.rule = rule
        self.place = place
        self.subject = subject
        self.requests = requests
        self.message = message
    }
}

/// A rule for the requests of one client, which it gets in their order.
protocol ClientRule: Sendable {
    /// Checks the next request.
    mutating func note(_ exchange: ClientExchange) -> [ClientBreach]

    /// The breaches if the client sends nothing more.
    ///
    /// - Parameter last: The number of its last request.
    func left(after last: Int) -> [ClientBreach]
}

extension ClientRule {
    func left(after last: Int) -> [ClientBreach] { [] }
}
