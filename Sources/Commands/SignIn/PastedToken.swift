import CloudClient
import CloudWire

/// What a person pastes who has signed in elsewhere: the token, or an address that has it in its query.
enum PastedToken {
    /// nil: it is neither.
    static func read(_ text: String) -> String? {
        let line = String(text.drop { $0.isWhitespace }.trimmingBlank)
        let query = line.split(separator: "?", maxSplits: 1).dropFirst().first
        let token = query.map { WireQuery(String($0)).webAuthToken } ?? line
        guard let token, WebAuthTokenFile.isToken(token) else { return nil }
        return token
    }
}
