/// A client of the service, identified by the sign-in from which its web token comes (on a device: the device's), and by
/// the `clientId` that it sends.
package struct ClientName: Sendable, Hashable {
    /// The sign-in, or the name of a server-to-server key; empty: no user is signed in.
    package var session: String
    package var user: String?
    package var device: String?
    /// The `clientId` that it sends; nil: none.
    package var clientID: String?

    package init(
        session: String, user: String? = nil, device: String? = nil, clientID: String? = nil
    ) {
        self.session = session
        self.user = user
        self.device = device
        self.clientID = clientID
    }
}
