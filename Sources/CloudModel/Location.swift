/// A place on Earth, as a field value. Mirrors `CLLocation` as far as the service keeps it.
package struct Location: Sendable, Hashable {
    /// Degrees, −90 to 90.
    package var latitude: Double
    /// Degrees, −180 to 180.
    package var longitude: Double
    /// Metres.
    package var horizontalAccuracy: Double?
    /// Metres.
    package var verticalAccuracy: Double?
    /// Metres above sea level.
    package var altitude: Double?
    /// Metres a second.
    package var speed: Double?
    /// Degrees clockwise from north.
    package var course: Double?
    package var timestamp: Timestamp?

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
