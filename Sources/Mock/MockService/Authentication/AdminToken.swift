import Basics
package import HTTPServer
import OpenSSL

/// The secret that a request to the administration carries: 256 random bits, drawn at each start, whatever
/// the seed. It reaches users in the ready file alone.
package struct AdminToken: Sendable, Hashable, CustomStringConvertible {
    private static let scheme = "Bearer "
    private static let byteCount = 32

    /// 64 hexadecimal digits.
    package let text: String

    package init() { text = Hexadecimal.encode(SecureRandom.bytes(Self.byteCount)) }

    /// Keeps the secret out of logs and of the messages of failed tests.
    package var description: String { "an administration token" }

    /// The value of the header `Authorization` that carries it.
    package var headerValue: String { Self.scheme + text }

    /// A request with this token.
    package func authorizing(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.headers.append("authorization", headerValue)
        return request
    }

    /// Whether a request carries this token.
    package func isCarried(by request: HTTPRequest) -> Bool {
        guard let value = request["authorization"],
            value.prefix(Self.scheme.count).lowercased() == Self.scheme.lowercased()
        else { return false }
        return equalInConstantTime(
            Array(value.dropFirst(Self.scheme.count).utf8), Array(text.utf8))
    }
}
