import CloudModel
internal import CoreLocation
public import Foundation

/// What a user is looked up by: one of an address, a number and a record. Equal by value.
public final class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, Sendable {
    let model: UserIdentity.LookupInfo

    init(_ model: UserIdentity.LookupInfo) { self.model = model }

    /// By email address.
    public convenience init(emailAddress: String) { self.init(.emailAddress(emailAddress)) }

    /// By telephone number.
    public convenience init(phoneNumber: String) { self.init(.phoneNumber(phoneNumber)) }

    /// By record ID.
    public convenience init(userRecordID: CKRecord.ID) {
        self.init(.userRecordName(userRecordID.recordName))
    }

    /// One for each address.
    public class func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
        emails.map { CKUserIdentityLookupInfo(emailAddress: $0) }
    }

    /// One for each number.
    public class func lookupInfos(
        withPhoneNumbers phoneNumbers: [String]
    ) -> [CKUserIdentity.LookupInfo] {
        phoneNumbers.map { CKUserIdentityLookupInfo(phoneNumber: $0) }
    }

    /// One for each record.
    public class func lookupInfos(
        with recordIDs: [CKRecord.ID]
    ) -> [CKUserIdentity.LookupInfo] {
        recordIDs.map { CKUserIdentityLookupInfo(userRecordID: $0) }
    }

    /// An email address.
    public var emailAddress: String? {
        if case .emailAddress(let text) = model { text } else { nil }
    }
    /// A telephone number.
    public var phoneNumber: String? {
        if case .phoneNumber(let text) = model { text } else { nil }
    }
    /// The ID of the user's record.
    public var userRecordID: CKRecord.ID? {
        if case .userRecordName(let name) = model { CKRecord.ID(recordName: name) } else { nil }
    }

    /// Whether both look for the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKUserIdentityLookupInfo)?.model == model
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { model.hashValue }

    /// Itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes what is looked for to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(emailAddress.map { $0 as NSString }, forKey: "emailAddress")
        coder.encode(phoneNumber.map { $0 as NSString }, forKey: "phoneNumber")
        coder.encode(userRecordID, forKey: "userRecordID")
    }

    /// Reads what was looked for from an archive.
    public convenience init?(coder: NSCoder) {
        if let email = coder.decodeText("emailAddress") {
            self.init(.emailAddress(email))
        } else if let number = coder.decodeText("phoneNumber") {
            self.init(.phoneNumber(number))
        } else if let id = coder.decodeIfThere(CKRecord.ID.self, "userRecordID") {
            self.init(.userRecordName(id.recordName))
        } else {
            return nil
        }
    }
}
