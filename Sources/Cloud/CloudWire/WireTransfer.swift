/// The requests that move the bytes of assets. They go to addresses of their own, which the service
/// gives out, and come without credentials: whoever has the address may use it.
package enum WireTransfer: String, Sendable, CaseIterable {
    /// The bytes of an asset are sent to an address of `assets/upload`.
    case upload = "assets/upload/bytes"
    /// They are fetched from a field's `downloadURL`.
    case download = "assets/download"

    /// How the path begins; what follows up to the next slash is the token.
    package var pathPrefix: String {
        switch self {
        case .upload: "/upload/"
        case .download: "/asset/"
        }
    }

    package var methods: [String] {
        switch self {
        case .upload: ["POST", "PUT"]
        case .download: ["GET", "HEAD"]
        }
    }

    /// The transfer that a path asks for; nil: none.
    package init?(path: String) {
        guard let found = Self.allCases.first(where: { path.hasPrefix($0.pathPrefix) }) else {
            return nil
        }
        self = found
    }

    /// The token in a path or an address; clients put a file's name of their choice behind it.
    package func token(in address: String) -> String? {
        let path = address.firstIndex(of: "?").map { address[..<$0] } ?? address[...]
        guard let start = path.firstRange(of: pathPrefix)?.upperBound else { return nil }
        return String(path[start...].prefix { $0 != "/" })
    }
}
