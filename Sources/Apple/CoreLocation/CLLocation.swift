public import Foundation

/// A place on Earth, and how and when it was measured.
///
/// - SeeAlso: <https://developer.apple.com/documentation/corelocation/cllocation>
public final class CLLocation: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// Where.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above sea level.
    public let altitude: CLLocationDistance
    /// Metres; negative when unknown.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Metres; negative when unknown.
    public let verticalAccuracy: CLLocationAccuracy
    /// Degrees clockwise from north; negative when unknown.
    public let course: CLLocationDirection
    /// Metres a second; negative when unknown.
    public let speed: CLLocationSpeed
    /// When it was measured.
    public let timestamp: Date

    /// A place, measured now.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Edge.now)
    }

    /// A place that was measured standing still.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// A place with all that was measured.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        speed: CLLocationSpeed, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        horizontalAccuracy = hAccuracy
        verticalAccuracy = vAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// How far it is to another place, in metres: the great circle on a sphere of the Earth's mean
    /// radius, up to 0.5 % from the way along the ellipsoid that Apple's gives.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        let radians = Double.pi / 180
        let (here, there) = (coordinate.latitude * radians, location.coordinate.latitude * radians)
        let east = (location.coordinate.longitude - coordinate.longitude) * radians
        let half = pow(sin((there - here) / 2), 2) + cos(here) * cos(there) * pow(sin(east / 2), 2)
        return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The place that an archive holds; nil when one of its numbers is missing.
    public convenience init?(coder: NSCoder) {
        guard
            let numbers = coder.decodeIfThere(anyOf: [NSArray.self, NSNumber.self], "place")
                as? [Double], numbers.count == 8
        else { return nil }
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]),
            altitude: numbers[2], horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4],
            course: numbers[5], speed: numbers[6],
            timestamp: Date(timeIntervalSinceReferenceDate: numbers[7]))
    }

    public func encode(with coder: NSCoder) {
        let numbers = measured + [timestamp.timeIntervalSinceReferenceDate]
        coder.encode(NSArray(array: numbers.map { NSNumber(value: $0) }), forKey: "place")
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The numbers in the order of the initializer.
    private var measured: [Double] {
        [
            coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy,
            verticalAccuracy, course, speed,
        ]
    }

    /// What two places are compared by: an unknown number is like another, times count to the
    /// millisecond.
    private var compared: [Double] {
        measured.prefix(3) + measured.dropFirst(3).map { max($0, -1) < 0 ? -1 : $0 }
            + [(timestamp.timeIntervalSince1970 * 1000).rounded(.down)]
    }

    /// Whether two places have the same numbers, to the millisecond.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CLLocation)?.compared == compared
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { [coordinate.latitude, coordinate.longitude].hashValue }
}
