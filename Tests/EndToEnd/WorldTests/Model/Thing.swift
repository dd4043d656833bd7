/// The name of one thing that is stored: a zone, a record or a subscription.
struct Thing: Sendable, Hashable, Comparable, CustomStringConvertible {
    enum Kind: String, Sendable { case zone, record, subscription }

    /// Whose database it is in; empty: the public one.
    let user: String
    let container: String
    let environment: String
    let scope: String
    /// Empty for subscriptions.
    let zone: String
    let kind: Kind
    /// Empty for zones. Of a public subscription, with its owner's record name before it.
    let name: String

    var description: String {
        "\(kind.rawValue) \(user.isEmpty ? "" : user + ":")\(container)/\(environment)/\(scope)"
            + "/\(zone)/\(name)"
    }
    static func < (left: Thing, right: Thing) -> Bool { left.description < right.description }
}

/// What is stored under a name.
struct Facts: Sendable, Hashable {
    /// A record's type, or the one that a subscription watches.
    var type: String?
    /// Who created it: a user record name.
    var creator: String?
    /// Differs when anything of it differs.
    var text: String
}
