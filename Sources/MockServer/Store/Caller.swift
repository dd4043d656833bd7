/// Who a request comes from, after authentication.
package enum Caller: Sendable, Hashable {
    /// A signed-in user, by account name, on one of his devices; nil: no device of its own, as
    /// in a browser.
    case user(String, device: String? = nil)
    /// A server-to-server key, by its ID; acts as a user record of its own, in public databases.
    case serverKey(String)
    /// An API token alone: what the world may read in public databases.
    case anonymous

    /// The device, where one is named.
    package var device: String? { if case .user(_, let device) = self { device } else { nil } }
}
