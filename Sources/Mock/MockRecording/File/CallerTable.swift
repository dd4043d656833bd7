/// Whose credentials are whose: each recorded request says whose it is, and each answer may bring the next
/// web token.
struct CallerTable {
    /// By credential.
    private(set) var callers: [String: String] = [:]

    mutating func note(_ request: RecordedRequest, _ answer: RecordedAnswer) {
        let credentials = Credentials(query: request.query)
        if let token = credentials.webToken { callers[token] = request.caller }
        for name in Credentials.nextTokenHeaders {
            if let token = answer.value(of: name) { callers[token] = request.caller }
        }
    }
}
