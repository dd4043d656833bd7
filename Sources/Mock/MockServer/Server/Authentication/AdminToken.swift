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
    func isCarried(by request: HTTPRequest) -> Bool {
        guard let value = request["authorization"],
            value.prefix(Self.scheme.count).lowercased() == Self.scheme.lowercased()
        else { return false }
        return equalInConstantTime(
            Array(value.dropFirst(Self.scheme.count).utf8), Array(text.utf8))
    }
}

extension MockApplication {
    /// What below `/_mock` is answered without the token, and why that gives nothing away. Anything else needs
    /// it, but for the files of the console, which are those of the program, and `OPTIONS`, which names methods.
    static let openPaths: [(path: String, reason: String)] = [
        (SignInService.path, "users sign in there, with an API token instead"),
        (adminPrefix + "health", "without the token it returns the status only"),
        (adminPrefix + "ca.pem", "a certificate is public"),
        (adminPrefix + "openapi.json", "static text of the program, the same for all servers"),
        (adminPrefix + "fidelity", "static text of the program, the same for all servers"),
    ]

    /// Refuses a request that needs the administration's token and does not carry it.
    func requireAdminToken(_ request: HTTPRequest) throws(AdminError) {
        guard !Self.openPaths.contains(where: { $0.path == request.path }) else { return }
        guard adminToken.isCarried(by: request) else {
            let problem =
                request["authorization"] == nil
                ? "the administration API needs a token"
                : "the token is not valid for this server's administration API"
            throw AdminError(
                status: 401,
                problem + "; send \"Authorization: Bearer TOKEN\" with the \"adminToken\" of "
                    + "the file that \"cloudkit-mock serve --ready-file\" names")
        }
    }
}
