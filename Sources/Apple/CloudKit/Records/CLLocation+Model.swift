import Basics
import CloudModel
internal import CoreLocation
internal import Foundation

extension CLLocation {
    /// The place that a field holds; a number that it lacks is unknown.
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

    /// Whether a field can hold it: each number is finite, and the date in range.
    var isStorable: Bool {
        [
            coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy,
            verticalAccuracy, course, speed,
        ].allSatisfy(\.isFinite) && Timestamp(storable: timestamp) != nil
    }

    /// What a field keeps of it.
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
}
