/// Which web pages may use an API token: those of an origin such as `https://app.example:3000`, or of a
/// host such as `app.example`, however it is reached.
package struct AllowedOrigin: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    private let origin: WebOrigin?
    private let host: Substring

    /// nil for what is neither.
    package init?(_ text: String) {
        if let origin = WebOrigin(text) {
            self.origin = origin
            host = origin.host
        } else {
            // Pages without an origin call it so.
            guard text.lowercased() != "null", !text.contains(":"),
                let origin = WebOrigin("https://" + text)
            else { return nil }
            self.origin = nil
            host = origin.host
        }
        description = text.lowercased()
    }

    /// Whether the pages of an origin are among them.
    func includes(_ other: WebOrigin) -> Bool {
        origin.map { $0 == other } ?? (host == other.host)
    }
}
