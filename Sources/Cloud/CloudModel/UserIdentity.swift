/// Who somebody is, as far as the service tells. Mirrors `CKUserIdentity`.
package struct UserIdentity: Sendable, Hashable {
    /// `_` and 32 hexadecimal digits; different in every container and environment.
    package var userRecordName: String
    /// What the user is called; nil where nothing of it is told.
    package var nameComponents: NameComponents?
    /// What the user was found by; nil where nobody was looked for.
    package var lookupInfo: LookupInfo?

    /// Describes a user; names without any component are no names.
    package init(
        userRecordName: String, nameComponents: NameComponents? = nil,
        lookupInfo: LookupInfo? = nil
    ) {
        self.userRecordName = userRecordName
        self.nameComponents = nameComponents.flatMap { $0.isEmpty ? nil : $0 }
        self.lookupInfo = lookupInfo
    }

    /// The same with no more than two names.
    package init(userRecordName: String, givenName: String?, familyName: String? = nil) {
        self.init(
            userRecordName: userRecordName,
            nameComponents: NameComponents(givenName: givenName, familyName: familyName))
    }

    package var givenName: String? { nameComponents?.givenName }
    package var familyName: String? { nameComponents?.familyName }

    /// What users are looked up by. Mirrors `CKUserIdentity.LookupInfo`.
    package enum LookupInfo: Sendable, Hashable {
        case emailAddress(String)
        case phoneNumber(String)
        case userRecordName(String)
    }

    /// One item of an answer about users.
    package enum Item: Sendable, Hashable {
        case user(UserIdentity)
        case failure(LookupInfo, CloudError)
    }
}

/// The parts of a person's name. Mirrors Foundation's `PersonNameComponents`.
package struct NameComponents: Sendable, Hashable {
    package var namePrefix: String?
    package var givenName: String?
    package var middleName: String?
    package var familyName: String?
    package var nameSuffix: String?
    package var nickname: String?
    package var phoneticRepresentation: String?

    package init(givenName: String? = nil, familyName: String? = nil) {
        self.givenName = givenName
        self.familyName = familyName
    }

    /// Every part, spelled as on the wire, in the order in which it is written.
    package static var parts: [(name: String, path: WritableKeyPath<Self, String?>)] {
        [
            ("namePrefix", \.namePrefix), ("givenName", \.givenName),
            ("middleName", \.middleName), ("familyName", \.familyName),
            ("nameSuffix", \.nameSuffix), ("nickname", \.nickname),
            ("phoneticRepresentation", \.phoneticRepresentation),
        ]
    }

    /// Whether no part is given.
    package var isEmpty: Bool { self == NameComponents() }
}
