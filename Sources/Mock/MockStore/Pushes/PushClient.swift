package import CloudModel

/// Which client sends a request, besides whose it is: two pages of one user are two devices.
package struct PushClient: Sendable, Hashable {
    /// The sign-in that its web token goes back to; nil where there is none.
    package var signIn: String?
    /// What it calls itself, in `clientId`.
    package var id: String?

    package init(signIn: String? = nil, id: String? = nil) {
        self.signIn = signIn
        self.id = id
    }
}

/// Who has written, as far as that is known: whoever it is gets no push for it.
struct PushWriter: Hashable {
    let userRecordName: String
    /// The device that the web token was given out for.
    let device: String?
    let client: PushClient

    /// Whether both are one device. The name it gives itself counts first, then the device that its web
    /// token names, then the sign-in.
    func isSame(as other: PushWriter) -> Bool {
        guard userRecordName == other.userRecordName else { return false }
        if let id = client.id, let otherID = other.client.id { return id == otherID }
        if device != nil || other.device != nil { return device == other.device }
        return client.signIn == other.client.signIn
    }
}

/// A device that is to get the pushes of a user in a container.
package struct PushRegistration: Sendable, Hashable {
    package let token: PushToken
    package let container: Container.ID
    package let environment: Container.Environment
    /// The user's account; empty of server-to-server keys.
    package let account: String
    let owner: PushWriter

    package var device: String? { owner.device }
    package var clientID: String? { owner.client.id }
    package var userRecordName: String { owner.userRecordName }
}
