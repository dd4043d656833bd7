package import CloudModel

extension MockStore {
    /// The user signs out: requests from the device answer AUTHENTICATION_REQUIRED until the
    /// next sign-in, and nothing of what is stored changes.
    ///
    /// - Parameter device: nil: every device of the user, also those without a name.
    package func signOut(_ user: String, device: String? = nil) throws(MockStoreError) {
        try setSignedOut(true, user, device)
    }

    /// The user signs in again.
    ///
    /// - Parameter device: nil: every device.
    package func signIn(_ user: String, device: String? = nil) throws(MockStoreError) {
        try setSignedOut(false, user, device)
    }

    /// Another user signs in on a device: what the first one's sessions there ask for is
    /// answered with AUTHENTICATION_REQUIRED from now on.
    package func switchAccount(
        on device: String, from user: String, to other: String
    ) throws(MockStoreError) {
        try signOut(user, device: device)
        try signIn(other, device: device)
    }

    /// Whether requests of a user from a device are taken; nil: from no device of its own.
    package func isSignedIn(_ user: String, device: String? = nil) -> Bool {
        guard let signOut = signOuts[user] else { return true }
        return !signOut.covers(device ?? "")
    }

    /// Closes a container to a user's own requests, or opens it, as the user does it in the
    /// settings: then they answer ACCESS_DENIED, and nothing of what is stored changes.
    package func setRestricted(
        _ isRestricted: Bool, for user: String, in container: Container.ID,
        _ environment: Container.Environment
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            let address = Database.Address(
                container: container, environment: environment, scope: .private)
            try restrict(isRestricted, Self.restrictionKey(address, user))
        }
    }

    /// Whether anybody has signed out of anything.
    var hasSignOuts: Bool { !signOuts.isEmpty }

    private func setSignedOut(
        _ isOut: Bool, _ user: String, _ device: String?
    ) throws(MockStoreError) {
        guard accounts[user] != nil else {
            throw MockStoreError(.failed, "there is no user \"\(user)\"")
        }
        if let device, !MockUser.isValid(name: device) {
            throw MockStoreError(.failed, "\"\(device)\" cannot be a device's name")
        }
        var signOut = signOuts[user] ?? SignOut()
        if let device {
            signOut.set(isOut, on: device)
        } else {
            signOut = SignOut(isEverywhere: isOut)
        }
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            try accountTables.put(signOut, of: user)
        }
        signOuts[user] = signOut.isEmpty ? nil : signOut
    }
}

/// On which devices a user has signed out.
struct SignOut: Hashable {
    /// Whether on all devices but the exceptions, rather than on the exceptions only.
    var isEverywhere = false
    /// Devices for which it is the other way round.
    var exceptions: Set<String> = []

    /// Whether a session of this device has ended.
    func covers(_ device: String) -> Bool { isEverywhere != exceptions.contains(device) }

    /// Whether nobody is signed out any more.
    var isEmpty: Bool { !isEverywhere && exceptions.isEmpty }

    /// Signs one device out or in.
    mutating func set(_ isOut: Bool, on device: String) {
        if isOut == isEverywhere {
            exceptions.remove(device)
        } else {
            exceptions.insert(device)
        }
    }
}
