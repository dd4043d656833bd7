package import Basics
import OpenSSL

/// The headers that sign a webhook's body, as Standard Webhooks has them: `webhook-id`, `webhook-timestamp` in
/// seconds, and `webhook-signature`, which is `v1,` and in Base64 the HMAC-SHA256 of `ID.TIMESTAMP.BODY`.
///
/// - SeeAlso: <https://github.com/standard-webhooks/standard-webhooks>
package struct WebhookSignature: Sendable {
    private static let secretPrefix = "whsec_"

    private let key: [UInt8]

    /// - Parameter secret: After `whsec_` it is Base64 of the key, else it is the key itself.
    /// - Returns: nil when what follows `whsec_` is no Base64, or is empty.
    package init?(secret: String) {
        guard secret.hasPrefix(Self.secretPrefix) else {
            key = Array(secret.utf8)
            return
        }
        guard let key = Base64.decode(String(secret.dropFirst(Self.secretPrefix.count))),
            !key.isEmpty
        else { return nil }
        self.key = key
    }

    package func headers(
        id: String, at moment: Timestamp, body: [UInt8]
    ) -> [(name: String, value: String)] {
        let seconds = "\(moment.milliseconds / 1000)"
        let tag = HMACSHA256.authenticate(Array("\(id).\(seconds).".utf8) + body, key: key)
        return [
            ("content-type", "application/json"), ("webhook-id", id),
            ("webhook-timestamp", seconds), ("webhook-signature", "v1," + Base64.encode(tag)),
        ]
    }
}
