internal import CoreLocation
internal import Foundation

// A donation keeps where a place is, not how and when that was measured: two requests for one place
// are one request to the person.

extension CLPlacemark: StorableValue {
    var storedParts: [String: Any?] {
        [
            "name": name, "latitude": location?.coordinate.latitude,
            "longitude": location?.coordinate.longitude, "address": postalAddress?.known,
        ]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        let address = parts["address"] as? [String: String]
        return Self(
            name: parts["name"] as? String, location: CLLocation.restore(parts),
            postalAddress: address.map { CNPostalAddress(known: $0) })
    }
}

extension CLLocation: StorableValue {
    var storedParts: [String: Any?] {
        ["latitude": coordinate.latitude, "longitude": coordinate.longitude]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        guard let latitude = StoredValue.double(parts["latitude"]),
            let longitude = StoredValue.double(parts["longitude"])
        else { return nil }
        return Self(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1,
            timestamp: Date(timeIntervalSinceReferenceDate: 0))
    }
}
