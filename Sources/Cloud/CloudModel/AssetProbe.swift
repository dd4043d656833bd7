package import Basics

/// Asks whether the address of an asset still gives its bytes. Sends no credential, and changes
/// nothing: whoever has the address may ask.
package protocol AssetProbe: Sendable {
    /// - Parameter address: A `downloadURL`, as an answer gave it.
    /// - Throws: ``CloudError`` when the answer says neither: `accessDenied` for an address that is
    ///   refused, which may have expired; `tryAgainLater`, `networkFailure`, …
    func presence(at address: String) async throws(CloudError) -> AssetPresence
}

/// What the address of an asset gives.
package enum AssetPresence: Sendable, Hashable {
    /// Nothing any more: 404, or 410 of an address that has not expired.
    case gone
    /// The asset; until then, where the answer says so.
    case there(until: Timestamp?)
}
