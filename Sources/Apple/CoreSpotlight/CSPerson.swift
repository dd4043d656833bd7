internal import CoreLocation
internal import Donations
public import Foundation

/// A person an item is about, as the app knows them.
public final class CSPerson: NSObject, NSSecureCoding, Sendable {
    /// What the person is called.
    public let displayName: String?
    /// Addresses, telephone numbers or other handles.
    public let handles: [String]
    /// What kind of handles they are, such as the name of a contact property.
    public let handleIdentifier: String
    /// The person's identifier in the contacts.
    public let contactIdentifier: String?

    /// A person with handles of one kind.
    public init(
        displayName: String?, handles: [String], handleIdentifier: String,
        contactIdentifier: String? = nil
    ) {
        self.displayName = displayName
        self.handles = handles
        self.handleIdentifier = handleIdentifier
        self.contactIdentifier = contactIdentifier
        super.init()
    }

    convenience init?(attribute: PayloadValue) {
        guard case .dictionary = attribute,
            let kind = attribute["kind"].flatMap(String.init(attribute:))
        else {
            return nil
        }
        self.init(
            displayName: attribute["name"].flatMap(String.init(attribute:)),
            handles: attribute["handles"].flatMap([String].init(attribute:)) ?? [],
            handleIdentifier: kind,
            contactIdentifier: attribute["contact"].flatMap(String.init(attribute:)))
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The person that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) {
        guard let data = coder.decodeIfThere(NSData.self, "person"),
            let value = try? PayloadValue(decoding: [UInt8](Data(referencing: data)))
        else { return nil }
        self.init(attribute: value)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSData(data: Data(attribute.encoded)), forKey: "person")
    }

    var attribute: PayloadValue {
        var pairs: [String: PayloadValue] = [
            "handles": handles.attribute, "kind": .string(handleIdentifier),
        ]
        pairs["name"] = displayName.map(PayloadValue.string)
        pairs["contact"] = contactIdentifier.map(PayloadValue.string)
        return .dictionary(pairs)
    }
}
