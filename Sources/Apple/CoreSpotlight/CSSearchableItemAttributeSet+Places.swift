public import Foundation

/// Where things are.
extension CSSearchableItemAttributeSet {
    /// What the place is called.
    public var namedLocation: String? {
        get { self["namedLocation"] }
        set { self["namedLocation"] = newValue }
    }
    /// Degrees, north positive.
    public var latitude: NSNumber? {
        get { number("latitude") }
        set { setNumber("latitude", newValue) }
    }
    /// Degrees, east positive.
    public var longitude: NSNumber? {
        get { number("longitude") }
        set { setNumber("longitude", newValue) }
    }
    /// Metres above the sea.
    public var altitude: NSNumber? {
        get { number("altitude") }
        set { setNumber("altitude", newValue) }
    }
    /// Metres a second.
    public var speed: NSNumber? {
        get { number("speed") }
        set { setNumber("speed", newValue) }
    }
    /// When it was there.
    public var timestamp: Date? {
        get { self["timestamp"] }
        set { self["timestamp"] = newValue }
    }
    /// The street.
    public var thoroughfare: String? {
        get { self["thoroughfare"] }
        set { self["thoroughfare"] = newValue }
    }
    /// The number in the street.
    public var subThoroughfare: String? {
        get { self["subThoroughfare"] }
        set { self["subThoroughfare"] = newValue }
    }
    /// The postal code.
    public var postalCode: String? {
        get { self["postalCode"] }
        set { self["postalCode"] = newValue }
    }
    /// The town.
    public var city: String? {
        get { self["city"] }
        set { self["city"] = newValue }
    }
    /// The state or province.
    public var stateOrProvince: String? {
        get { self["stateOrProvince"] }
        set { self["stateOrProvince"] = newValue }
    }
    /// The country.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }
    /// The whole address.
    public var fullyFormattedAddress: String? {
        get { self["fullyFormattedAddress"] }
        set { self["fullyFormattedAddress"] = newValue }
    }
    /// What it says above.
    public var headline: String? {
        get { self["headline"] }
        set { self["headline"] = newValue }
    }
    /// How to use it.
    public var instructions: String? {
        get { self["instructions"] }
        set { self["instructions"] = newValue }
    }
}
