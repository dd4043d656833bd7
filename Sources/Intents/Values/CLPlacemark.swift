public import Foundation

/// A place on earth, in degrees. Core Location's type, as far as intents need it.
public struct CLLocationCoordinate2D: Hashable, Sendable {
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double

    /// A place on earth.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A place with a name. Core Location's class, as far as intents need it.
public final class CLPlacemark: NSObject, NSCopying, Sendable {
    /// What people call it.
    public let name: String?
    /// Where it is; nil when only the name is known.
    public let coordinate: CLLocationCoordinate2D?

    /// A place. Not in Apple's interface, where the geocoder makes them.
    public init(name: String?, coordinate: CLLocationCoordinate2D? = nil) {
        self.name = name
        self.coordinate = coordinate
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLPlacemark else { return false }
        return name == other.name && coordinate == other.coordinate
    }

    public override var hash: Int { name.hashValue }
}

extension CLPlacemark: StorableValue {
    var storedParts: [String: Any?] {
        ["name": name, "latitude": coordinate?.latitude, "longitude": coordinate?.longitude]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        var coordinate: CLLocationCoordinate2D?
        if let latitude = parts["latitude"] as? Double,
            let longitude = parts["longitude"] as? Double
        {
            coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        }
        return Self(name: parts["name"] as? String, coordinate: coordinate)
    }
}

/// A region that a person can be in. Core Location's class, as far as intents need it.
public class CLRegion: NSObject {
    /// The app's own name for it.
    public let identifier: String

    init(named identifier: String) { self.identifier = identifier }
}

/// A region around a place. Core Location's class, as far as intents need it.
public final class CLCircularRegion: CLRegion {
    /// Its middle.
    public let center: CLLocationCoordinate2D
    /// How far it reaches, in metres.
    public let radius: Double

    /// A region around a place.
    public init(center: CLLocationCoordinate2D, radius: Double, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(named: identifier)
    }
}
