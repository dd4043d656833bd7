/// A client of the service, identified by the sign-in that its web token goes back to,
/// which on a device is the device's, and by the identifier that it sends of itself.
package struct ClientName: Sendable, Hashable {
    /// The sign-in; of a key its name; empty: no user is signed in.
    package var session: String
    package var user: String?
    package var device: String?
    /// What it calls itself; nil: nothing.
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
