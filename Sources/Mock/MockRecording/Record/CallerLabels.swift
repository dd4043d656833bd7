/// What callers are called in a recording: `user-1`, `key-1`, in the order in which they come up.
struct CallerLabels: Sendable {
    private var labels: [String: String] = [:]
    private var users = 0
    private var keys = 0

    /// Requests that nobody signed in for.
    static let nobody = "nobody"
    /// Requests of Apple's own web apps.
    static let cookies = "cookies"

    /// Which of the recording's users a caller is, from 1; nil where it is none.
    static func number(ofUser caller: String) -> Int? {
        guard caller.hasPrefix(userPrefix) else { return nil }
        return Int(caller.dropFirst(userPrefix.count)).flatMap { $0 > 0 ? $0 : nil }
    }

    static let userPrefix = "user-"
    static let keyPrefix = "key-"

    /// Who asks with credentials.
    mutating func label(_ credentials: Credentials) -> String {
        if let token = credentials.webToken {
            if let label = labels["token " + token] { return label }
            users += 1
            labels["token " + token] = Self.userPrefix + "\(users)"
            return Self.userPrefix + "\(users)"
        }
        if let id = credentials.keyID {
            if let label = labels["key " + id] { return label }
            keys += 1
            labels["key " + id] = Self.keyPrefix + "\(keys)"
            return Self.keyPrefix + "\(keys)"
        }
        return credentials.hasCookies ? Self.cookies : Self.nobody
    }

    /// A caller goes on with another web token.
    mutating func add(token: String, of caller: String) { labels["token " + token] = caller }
}
