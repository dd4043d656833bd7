public import Foundation

/// A postal address. A small stand-in for the class of Apple's Contacts; a part that is not known
/// is empty.
public class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, NSSecureCoding,
    @unchecked Sendable
{
    // Unchecked: only ``CNMutablePostalAddress`` writes, and it says itself that it is not Sendable.
    fileprivate var parts: [String: String] = [:]

    /// An empty address.
    public override required init() { super.init() }

    /// Street and number.
    public var street: String { parts["street"] ?? "" }
    /// The part of the city.
    public var subLocality: String { parts["subLocality"] ?? "" }
    /// The city.
    public var city: String { parts["city"] ?? "" }
    /// The county.
    public var subAdministrativeArea: String { parts["subAdministrativeArea"] ?? "" }
    /// The state or province.
    public var state: String { parts["state"] ?? "" }
    /// The postal code.
    public var postalCode: String { parts["postalCode"] ?? "" }
    /// The country.
    public var country: String { parts["country"] ?? "" }
    /// The country's two letters (ISO 3166-1).
    public var isoCountryCode: String { parts["isoCountryCode"] ?? "" }

    /// The parts that are known, by the names of their properties. Not in Apple's interface.
    package var known: [String: String] { parts.filter { !$0.value.isEmpty } }

    /// An address of these parts. Not in Apple's interface.
    package required init(known: [String: String]) { parts = known }

    /// An address that never changes.
    public func copy(with zone: NSZone? = nil) -> Any { CNPostalAddress(known: parts) }

    /// An address that the caller may change.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        CNMutablePostalAddress(known: parts)
    }

    // MARK: Archives

    public class var supportsSecureCoding: Bool { true }

    /// The address that an archive holds; nil when it holds none.
    public required init?(coder: NSCoder) {
        let types = [NSDictionary.self, NSString.self]
        guard let parts = coder.decodeIfThere(anyOf: types, "parts") as? [String: String]
        else { return nil }
        self.parts = parts
    }

    public func encode(with coder: NSCoder) { coder.encode(known as NSDictionary, forKey: "parts") }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CNPostalAddress)?.known == known
    }

    public override var hash: Int { known.hashValue }
}

/// A postal address that may be changed.
public final class CNMutablePostalAddress: CNPostalAddress, @unchecked Sendable {
    // Unchecked, as its superclass: an app changes it before it hands it on, as on Apple's systems.

    /// Street and number.
    public override var street: String {
        get { super.street }
        set { parts["street"] = newValue }
    }
    /// The part of the city.
    public override var subLocality: String {
        get { super.subLocality }
        set { parts["subLocality"] = newValue }
    }
    /// The city.
    public override var city: String {
        get { super.city }
        set { parts["city"] = newValue }
    }
    /// The county.
    public override var subAdministrativeArea: String {
        get { super.subAdministrativeArea }
        set { parts["subAdministrativeArea"] = newValue }
    }
    /// The state or province.
    public override var state: String {
        get { super.state }
        set { parts["state"] = newValue }
    }
    /// The postal code.
    public override var postalCode: String {
        get { super.postalCode }
        set { parts["postalCode"] = newValue }
    }
    /// The country.
    public override var country: String {
        get { super.country }
        set { parts["country"] = newValue }
    }
    /// The country's two letters (ISO 3166-1).
    public override var isoCountryCode: String {
        get { super.isoCountryCode }
        set { parts["isoCountryCode"] = newValue }
    }
}
