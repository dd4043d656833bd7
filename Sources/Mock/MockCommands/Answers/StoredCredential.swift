import CommandLine

/// A key or token that a mock server accepts.
struct StoredCredential {
    /// As it is named on the command line.
    enum Kind: String, CaseIterable {
        case key
        case apiToken = "api-token"
        case webToken = "web-token"

        /// What the administration API calls its text.
        var key: String {
            switch self {
            case .key: "keyID"
            case .apiToken: "apiToken"
            case .webToken: "webToken"
            }
        }
    }

    let kind: Kind
    /// A key's ID, or the token.
    let text: String
    private let container: String?
    private let environment: String?

    init(_ answer: AdminAnswer, _ kind: Kind) throws(CommandFailure) {
        self.kind = kind
        text = try answer.text(kind.key)
        container = answer.optionalText("container")
        environment = answer.optionalText("environment")
    }

    static let columns = ["kind", "container", "environment", "ID or token"]

    var cells: [TextTable.Cell] {
        [kind.rawValue, container ?? "all", environment ?? "all", text].map { .init($0) }
    }

    var event: Event {
        Event(
            "credential",
            [
                .init("kind", kind.rawValue), .init("container", container),
                .init("environment", environment), .init(kind.key, text),
            ])
    }
}
