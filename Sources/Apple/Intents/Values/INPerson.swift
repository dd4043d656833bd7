public import Foundation

/// Somebody an intent is about.
///
/// The picture of a person is not stored with a donation.
public class INPerson: NSObject, NSCopying, NSSecureCoding {
    /// How to reach the person.
    public let personHandle: INPersonHandle?
    /// The parts of the name.
    public let nameComponents: PersonNameComponents?
    /// What people read.
    public let displayName: String
    /// A picture; not stored.
    public let image: INImage?
    /// The person's identifier in the user's contacts.
    public let contactIdentifier: String?
    /// The app's own name for the person; the one to look for when the person is deleted.
    public let customIdentifier: String?
    /// Other ways to reach the person.
    public let aliases: [INPersonHandle]?
    /// Whether this is the user.
    public let isMe: Bool
    /// Whether a contact fits to this person that Siri proposed.
    public let isContactSuggestion: Bool
    /// Where Siri may propose the person from.
    public private(set) var suggestionType = INPersonSuggestionType.none
    /// What the person is to the user.
    public let relationship: INPersonRelationship?

    /// A person.
    public required init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?,
        aliases: [INPersonHandle]?, isMe: Bool, isContactSuggestion: Bool,
        relationship: INPersonRelationship? = nil
    ) {
        self.personHandle = personHandle
        self.nameComponents = nameComponents
        self.displayName =
            displayName ?? nameComponents.map(Self.words) ?? personHandle.value ?? ""
        self.image = image
        self.contactIdentifier = contactIdentifier
        self.customIdentifier = customIdentifier
        self.aliases = aliases
        self.isMe = isMe
        self.isContactSuggestion = isContactSuggestion
        self.relationship = relationship
    }

    /// A person.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier,
            customIdentifier: customIdentifier, isMe: false)
    }

    /// A person, who may be the user.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier,
            customIdentifier: customIdentifier, aliases: nil, isMe: isMe,
            isContactSuggestion: false)
    }

    /// A person, and where Siri may propose them from.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool = false,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier,
            customIdentifier: customIdentifier, isMe: isMe)
        self.suggestionType = suggestionType
    }

    /// A person and what the person is to the user.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?,
        relationship: INPersonRelationship?
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier,
            customIdentifier: customIdentifier, aliases: nil, isMe: false,
            isContactSuggestion: false, relationship: relationship)
    }

    /// What a subclass has more.
    var details: [String: Any?] { [:] }
    func take(_ details: [String: Any]) {}

    /// The parts of a name in the order of English.
    private static func words(_ name: PersonNameComponents) -> String {
        [name.namePrefix, name.givenName, name.middleName, name.familyName, name.nameSuffix]
            .compactMap { $0 }.joined(separator: " ")
    }

    // MARK: Archives

    public class var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public required convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPerson else { return false }
        return personHandle == other.personHandle && displayName == other.displayName
            && contactIdentifier == other.contactIdentifier
            && customIdentifier == other.customIdentifier && isMe == other.isMe
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(displayName)
        hasher.combine(customIdentifier)
        return hasher.finalize()
    }
}

extension INPerson: StorableValue {
    var storedParts: [String: Any?] {
        [
            "personHandle": personHandle, "nameComponents": nameComponents,
            "displayName": displayName, "contactIdentifier": contactIdentifier,
            "customIdentifier": customIdentifier, "aliases": aliases,
            "isMe": isMe ? true : nil, "isContactSuggestion": isContactSuggestion ? true : nil,
            "relationship": relationship?.rawValue,
            "suggestionType": suggestionType == .none ? nil : suggestionType.rawValue,
        ].merging(details) { $1 }
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        let person = Self(
            personHandle: parts["personHandle"] as? INPersonHandle
                ?? INPersonHandle(value: nil, type: .unknown),
            nameComponents: parts["nameComponents"] as? PersonNameComponents,
            displayName: parts["displayName"] as? String, image: nil,
            contactIdentifier: parts["contactIdentifier"] as? String,
            customIdentifier: parts["customIdentifier"] as? String,
            aliases: parts["aliases"] as? [INPersonHandle], isMe: parts["isMe"] as? Bool ?? false,
            isContactSuggestion: parts["isContactSuggestion"] as? Bool ?? false,
            relationship: (parts["relationship"] as? String).map {
                INPersonRelationship(rawValue: $0)
            })
        person.suggestionType =
            (parts["suggestionType"] as? Int).flatMap { INPersonSuggestionType(rawValue: $0) }
            ?? .none
        person.take(parts)
        return person
    }
}

/// Where Siri may propose a person from.
public enum INPersonSuggestionType: Int, Sendable {
    /// From nowhere.
    case none
    /// From a profile.
    case socialProfile
    /// From an address of a messenger.
    case instantMessageAddress
}

/// What a person is to the user.
public struct INPersonRelationship: RawRepresentable, Hashable, Sendable {
    /// The word for it.
    public let rawValue: String
    /// A relationship of any kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The mother.
    public static let mother = INPersonRelationship(rawValue: "mother")
    /// The father.
    public static let father = INPersonRelationship(rawValue: "father")
    /// A brother.
    public static let brother = INPersonRelationship(rawValue: "brother")
    /// A sister.
    public static let sister = INPersonRelationship(rawValue: "sister")
    /// A child.
    public static let child = INPersonRelationship(rawValue: "child")
    /// A friend.
    public static let friend = INPersonRelationship(rawValue: "friend")
    /// The spouse.
    public static let spouse = INPersonRelationship(rawValue: "spouse")
    /// The partner.
    public static let partner = INPersonRelationship(rawValue: "partner")
}
