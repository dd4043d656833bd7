/// What a rule has found in the requests of one client.
struct ClientBreach: Sendable, Hashable {
    let rule: ClientFinding.Rule
    let place: ClientPlace?
    /// What else distinguishes it from others of the same rule and place, such as a record's name.
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

/// A rule that the requests of one client are held to, in their order.
protocol ClientRule: Sendable {
    /// Looks at the next request.
    mutating func note(_ exchange: ClientExchange) -> [ClientBreach]

    /// What is wrong if the client sends nothing more.
    ///
    /// - Parameter last: The number of its last request.
    func left(after last: Int) -> [ClientBreach]
}

extension ClientRule {
    func left(after last: Int) -> [ClientBreach] { [] }
}
