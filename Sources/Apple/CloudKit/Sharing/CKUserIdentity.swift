import CloudModel
internal import CoreLocation
public import Foundation

/// A user, as far as the service tells.
public final class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The user as the service told it.
    let model: UserIdentity

    init(_ user: UserIdentity) { model = user }

    /// The ID of the user's record, different in each container; nil for who has no account yet.
    public var userRecordID: CKRecord.ID? {
        model.userRecordName.isEmpty ? nil : CKRecord.ID(recordName: model.userRecordName)
    }

    /// The user's name, where the service tells it.
    public var nameComponents: PersonNameComponents? {
        guard let names = model.nameComponents else { return nil }
        var parts = PersonNameComponents()
        parts.namePrefix = names.namePrefix
        parts.givenName = names.givenName
        parts.middleName = names.middleName
        parts.familyName = names.familyName
        parts.nameSuffix = names.nameSuffix
        parts.nickname = names.nickname
        return parts
    }

    /// What the user was looked up by.
    public var lookupInfo: LookupInfo? { model.lookupInfo.map { LookupInfo($0) } }

    /// Whether the user has an iCloud account.
    public var hasiCloudAccount: Bool { !model.userRecordName.isEmpty }

    /// Whether two are the same user, told in the same words.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKUserIdentity)?.model == model
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { model.hashValue }

    /// Itself: an identity never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the identity to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(model.userRecordName as NSString, forKey: "userRecordName")
        for (name, path) in NameComponents.parts {
            coder.encode(model.nameComponents?[keyPath: path].map { $0 as NSString }, forKey: name)
        }
        coder.encode(lookupInfo, forKey: "lookupInfo")
    }

    /// Reads an identity from an archive.
    public convenience init?(coder: NSCoder) {
        guard let recordName = coder.decodeText("userRecordName") else { return nil }
        var names = NameComponents()
        for (name, path) in NameComponents.parts { names[keyPath: path] = coder.decodeText(name) }
        self.init(
            UserIdentity(
                userRecordName: recordName, nameComponents: names,
                lookupInfo: coder.decodeIfThere(LookupInfo.self, "lookupInfo")?.model))
    }
}

extension CKUserIdentity {
    /// What a user is looked up by.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias LookupInfo = CKUserIdentityLookupInfo
}
