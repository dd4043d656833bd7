public import Foundation

/// A place with a name and an address.
///
/// There is no geocoder here: what people call the place is what the app said.
///
/// - SeeAlso: <https://developer.apple.com/documentation/corelocation/clplacemark>
public final class CLPlacemark: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// What people call it.
    public let name: String?
    /// Where it is; nil when only the name is known.
    public let location: CLLocation?
    /// Its address; nil when only name or place are known.
    public let postalAddress: CNPostalAddress?

    /// A place. From Apple's `Intents`, for apps that ask no geocoder.
    public init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
        self.location = location
        self.name = name
        self.postalAddress = postalAddress
    }

    /// The same place.
    public convenience init(placemark: CLPlacemark) {
        self.init(
            name: placemark.name, location: placemark.location,
            postalAddress: placemark.postalAddress)
    }

    /// A place of which the name may be all that is known. Not in Apple's interface.
    public init(name: String?, location: CLLocation? = nil, postalAddress: CNPostalAddress? = nil) {
        self.name = name
        self.location = location
        self.postalAddress = postalAddress
    }

    /// The street; nil when not known.
    public var thoroughfare: String? { part(\.street) }
    /// The city; nil when not known.
    public var locality: String? { part(\.city) }
    /// The part of the city; nil when not known.
    public var subLocality: String? { part(\.subLocality) }
    /// The state or province; nil when not known.
    public var administrativeArea: String? { part(\.state) }
    /// The county; nil when not known.
    public var subAdministrativeArea: String? { part(\.subAdministrativeArea) }
    /// The postal code; nil when not known.
    public var postalCode: String? { part(\.postalCode) }
    /// The country's two letters; nil when not known.
    public var isoCountryCode: String? { part(\.isoCountryCode) }
    /// The country; nil when not known.
    public var country: String? { part(\.country) }

    private func part(_ path: KeyPath<CNPostalAddress, String>) -> String? {
        postalAddress.flatMap { $0[keyPath: path].isEmpty ? nil : $0[keyPath: path] }
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The place that an archive holds.
    public convenience init?(coder: NSCoder) {
        self.init(
            name: coder.decodeText("name"),
            location: coder.decodeIfThere(CLLocation.self, "location"),
            postalAddress: coder.decodeIfThere(CNPostalAddress.self, "address"))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(name.map { NSString(string: $0) }, forKey: "name")
        coder.encode(location, forKey: "location")
        coder.encode(postalAddress, forKey: "address")
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether name, address and place are the same; when it was measured does not count.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLPlacemark else { return false }
        let (mine, theirs) = (location?.coordinate, other.location?.coordinate)
        return name == other.name && postalAddress == other.postalAddress
            && mine?.latitude == theirs?.latitude && mine?.longitude == theirs?.longitude
    }

    public override var hash: Int { name.hashValue }
}
