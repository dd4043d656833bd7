/// Who a request comes from, after authentication.
package enum Caller: Sendable, Hashable {
    /// A signed-in user, by account name.
    case user(String)
    /// A server-to-server key, by its ID; acts as a user record of its own, in public databases.
    case serverKey(String)
    /// An API token alone: what the world may read in public databases.
    case anonymous
}
