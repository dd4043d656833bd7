import CloudModel
public import Foundation

/// A place on Earth as two numbers. Mirrors Core Location's type, which Linux lacks.
public struct CLLocationCoordinate2D: Sendable, Hashable {
    /// Degrees, −90 to 90.
    public var latitude: Double
    /// Degrees, −180 to 180.
    public var longitude: Double

    /// A place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A place on Earth as a field's value. Mirrors what CloudKit keeps of Core Location's
/// `CLLocation`, which Linux lacks; it does no measuring.
public final class CLLocation: NSObject, Sendable {
    /// Where.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above sea level.
    public let altitude: Double
    /// Metres; negative when unknown.
    public let horizontalAccuracy: Double
    /// Metres; negative when unknown.
    public let verticalAccuracy: Double
    /// Degrees clockwise from north; negative when unknown.
    public let course: Double
    /// Metres a second; negative when unknown.
    public let speed: Double
    /// When it was measured.
    public let timestamp: Date

    /// A place.
    public convenience init(latitude: Double, longitude: Double) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1, course: -1, speed: -1,
            timestamp: WallClock.system.now.date)
    }

    /// A place with all that was measured.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: Double, horizontalAccuracy: Double,
        verticalAccuracy: Double, course: Double, speed: Double, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    convenience init(_ location: Location) {
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: location.latitude, longitude: location.longitude),
            altitude: location.altitude ?? 0,
            horizontalAccuracy: location.horizontalAccuracy ?? -1,
            verticalAccuracy: location.verticalAccuracy ?? -1, course: location.course ?? -1,
            speed: location.speed ?? -1,
            timestamp: location.timestamp?.date ?? Date(timeIntervalSince1970: 0))
    }

    var model: Location {
        var location = Location(latitude: coordinate.latitude, longitude: coordinate.longitude)
        location.altitude = altitude
        location.horizontalAccuracy = horizontalAccuracy < 0 ? nil : horizontalAccuracy
        location.verticalAccuracy = verticalAccuracy < 0 ? nil : verticalAccuracy
        location.course = course < 0 ? nil : course
        location.speed = speed < 0 ? nil : speed
        location.timestamp = Timestamp(timestamp)
        return location
    }

    /// Whether two places have the same numbers, to the millisecond.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLLocation else { return false }
        return model == other.model
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { coordinate.hashValue }
}
