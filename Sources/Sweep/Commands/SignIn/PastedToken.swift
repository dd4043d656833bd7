import CloudClient
import CloudWire

/// What a person pastes who has signed in elsewhere: the token, or an address that has it in its query.
enum PastedToken {
    /// - Throws: `noToken` when it is neither.
    static func checked(_ text: String) throws(SignInFailure) -> String {
        guard let token = read(text) else {
            throw .noToken("the pasted text is not a web auth token")
        }
        return token
    }

    private static func read(_ text: String) -> String? {
        let line = String(text.drop { $0.isWhitespace }.trimmingBlank)
        let query = line.split(separator: "?", maxSplits: 1).dropFirst().first
        let token = query.map { WireQuery(String($0)).webAuthToken } ?? line
        guard let token, WebAuthTokenFile.isToken(token) else { return nil }
        return token
    }
}
