/// Who is signed in, as far as the service tells.
package struct UserIdentity: Sendable, Hashable {
    /// `_` and 32 hexadecimal digits; different in every container and environment.
    package let userRecordName: String
    package let givenName: String?
    package let familyName: String?

    package init(userRecordName: String, givenName: String? = nil, familyName: String? = nil) {
        self.userRecordName = userRecordName
        self.givenName = givenName
        self.familyName = familyName
    }
}
