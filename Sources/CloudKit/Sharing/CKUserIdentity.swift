import CloudModel
public import Foundation

/// A user, as far as the service tells.
public final class CKUserIdentity: NSObject, Sendable {
    /// What a user is looked up by.
    public final class LookupInfo: NSObject, Sendable {
        /// An email address.
        public let emailAddress: String?
        /// A telephone number.
        public let phoneNumber: String?
        /// The ID of the user's record.
        public let userRecordID: CKRecord.ID?

        /// By email address.
        public init(emailAddress: String) {
            self.emailAddress = emailAddress
            phoneNumber = nil
            userRecordID = nil
        }

        /// By telephone number.
        public init(phoneNumber: String) {
            emailAddress = nil
            self.phoneNumber = phoneNumber
            userRecordID = nil
        }

        /// By record ID.
        public init(userRecordID: CKRecord.ID) {
            emailAddress = nil
            phoneNumber = nil
            self.userRecordID = userRecordID
        }
    }

    /// The ID of the user's record; different in each container.
    public let userRecordID: CKRecord.ID?
    /// The user's name, where the service tells it.
    public let nameComponents: PersonNameComponents?
    /// What the user was looked up by.
    public let lookupInfo: LookupInfo?
    /// Whether the user has an iCloud account.
    public var hasiCloudAccount: Bool { userRecordID != nil }

    init(_ user: UserIdentity, lookupInfo: LookupInfo? = nil) {
        userRecordID = CKRecord.ID(recordName: user.userRecordName)
        var name = PersonNameComponents()
        name.givenName = user.givenName
        name.familyName = user.familyName
        nameComponents = user.givenName == nil && user.familyName == nil ? nil : name
        self.lookupInfo = lookupInfo
    }
}
