/// Which strings of requests and answers are secrets or names, by the keys that lead to them.
package struct SecretRules: Sendable {
    /// What a string is to become.
    package enum Treatment: Sendable, Hashable {
        case standIn(SecretKind)
        /// An address that whoever has it may use; it is led through the proxy.
        case address
    }

    /// Whether record names have stand-ins too.
    package let replacesRecordNames: Bool

    package init(replacesRecordNames: Bool = false) {
        self.replacesRecordNames = replacesRecordNames
    }

    private static let addresses: Set = ["downloadURL", "redirectURL", "webcourierURL", "url"]

    private static let kinds: [String: SecretKind] = [
        "ckAPIToken": .token, "ckWebAuthToken": .token, "ckSession": .token,
        "webAuthToken": .token, "apiToken": .token, "apnsToken": .token, "deviceID": .token,
        "deviceId": .token, "shortGUID": .token, "fullToken": .token,
        "protectedFullToken": .token, "receipt": .token, "wrappingKey": .token,
        "routingKey": .token, "shortTokenHash": .token, "encryptedPublicSharingKey": .token,
        "userRecordName": .account, "ownerRecordName": .account, "ownerName": .account,
        "emailAddress": .email, "phoneNumber": .phone,
        "givenName": .person, "familyName": .person, "middleName": .person, "nickname": .person,
        "firstName": .person, "lastName": .person, "displayName": .person, "fullName": .person,
    ]

    /// Parameters of a request's address.
    private static let parameters: Set = [
        "ckAPIToken", "ckWebAuthToken", "ckSession", "dsid", "clientId", "clientInstanceId",
    ]

    /// What a string becomes.
    ///
    /// - Parameter keys: Those that lead to it from the outermost object; arrays have none.
    package func treatment(of text: String, at keys: [String]) -> Treatment? {
        guard let key = keys.last, !text.isEmpty else { return nil }
        if Self.addresses.contains(key) {
            return text.hasPrefix("https://") || text.hasPrefix("http://") ? .address : nil
        }
        if key == "value", let parent = keys.dropLast().last,
            parent == "shortGUID" || parent == "shortGUIDs"
        {
            return .standIn(.token)
        }
        if key == "recordName" || key == "rootRecordName" {
            if Self.isAccount(text) { return .standIn(.account) }
            return replacesRecordNames && !Self.isReserved(text) ? .standIn(.record) : nil
        }
        guard let kind = Self.kinds[key] else { return nil }
        return kind == .account && Self.isReserved(text) ? nil : .standIn(kind)
    }

    /// Whether a parameter's value is a secret.
    package static func isSecret(parameter name: String) -> Bool { parameters.contains(name) }

    /// Whether a header's value is a secret.
    package static func isSecret(header name: String) -> Bool {
        name == "x-apple-cloudkit-web-auth-token" || name == "x-apple-cloudkit-session"
    }

    /// Whether a name has the form of a user record's: `_` and 32 hexadecimal digits.
    private static func isAccount(_ text: String) -> Bool {
        text.utf8.count == 33 && text.hasPrefix("_")
            && text.utf8.dropFirst().allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }

    /// Names that mean the same for everybody: `_defaultOwner__`, `cloudkit.share` and the like.
    private static func isReserved(_ text: String) -> Bool {
        text.hasSuffix("_defaultOwner__") || text.hasPrefix("cloudkit.")
            || ["_world", "_icloud", "_creator", "_owner"].contains(text)
    }
}
