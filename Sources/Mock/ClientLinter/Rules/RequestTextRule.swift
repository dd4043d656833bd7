/// The path, the keys and the number of items of a request are supported by the service.
struct RequestTextRule: ClientRule {
    mutating func note(_ exchange: ClientExchange) -> [ClientBreach] {
        exchange.remarks.map { remark in
            let (rule, subject, words) = Self.describe(remark)
            return ClientBreach(
                rule, in: exchange.place(nil), subject, requests: [exchange.number],
                "Request \(exchange.number) \(words).")
        }
    }

    private static func describe(
        _ remark: RequestRemark
    ) -> (rule: ClientFinding.Rule, subject: String, words: String) {
        switch remark {
        case .unknownKey(let key, let nearest):
            (.unknownKey, key, "has the key \"\(key)\"" + hint(nearest))
        case .unknownEndpoint(let path, let nearest):
            (.unknownEndpoint, path, "requested \(path)" + hint(nearest))
        case .emptyToken(let key):
            (.emptyToken, key, "sent the empty string as \(key)")
        case .tooManyItems(let key, let count, let max):
            (.tooManyItems, key, "has \(count) items under \"\(key)\"; the maximum is \(max)")
        }
    }

    private static func hint(_ nearest: String?) -> String {
        nearest.map { "; nearest: \($0)" } ?? ""
    }
}
