import CloudKit
import CoreSpotlight
import Intents
import Testing

/// Places and kinds of content in an app that imports every module.
struct PlaceTests {
    private let vienna = CLLocationCoordinate2D(latitude: 48.2082, longitude: 16.3738)

    private func archived<Value: NSObject & NSCoding>(_ value: Value) throws -> Value? {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
    }

    @Test func `one place goes into a record, an intent and a region`() {
        let place = CLLocation(latitude: vienna.latitude, longitude: vienna.longitude)
        let record = CKRecord(recordType: "Stop")
        record["place"] = place
        #expect((record["place"] as? CLLocation)?.coordinate.latitude == vienna.latitude)
        let intent = INListRideOptionsIntent(
            pickupLocation: CLPlacemark(location: place, name: "Home", postalAddress: nil),
            dropOffLocation: nil)
        #expect(intent.pickupLocation?.location == place)
        let region = CLCircularRegion(center: vienna, radius: 100, identifier: "home")
        #expect(INLocationRelevanceProvider(region: region).region == region)
    }

    @Test func `a place comes back from an archive with each of its numbers`() throws {
        let place = CLLocation(
            coordinate: vienna, altitude: 170, horizontalAccuracy: 5, verticalAccuracy: 8,
            course: 90, speed: 1.5, timestamp: Date(timeIntervalSince1970: 1_700_000_000.25))
        let back = try #require(try archived(place))
        #expect(back == place)
        #expect([back.altitude, back.course, back.speed] == [170, 90, 1.5])
        #expect(back.timestamp == place.timestamp)
    }

    @Test func `a placemark and a region come back from an archive`() throws {
        let address = CNMutablePostalAddress()
        address.street = "Graben 1"
        address.city = "Wien"
        let home = CLPlacemark(
            location: CLLocation(latitude: 1, longitude: 2), name: "Home", postalAddress: address)
        #expect(try archived(home) == home)
        #expect(try archived(home)?.locality == "Wien")
        #expect(home.postalCode == nil)
        let region = CLCircularRegion(center: vienna, radius: 100, identifier: "home")
        region.notifyOnExit = false
        let back = try #require(try archived(region))
        #expect((back.identifier, back.radius) == ("home", 100))
        #expect(back.center.longitude == vienna.longitude)
        #expect((back.notifyOnEntry, back.notifyOnExit) == (true, false))
    }

    @Test func `an archive of another class is no place`() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSString("here"), requiringSecureCoding: true)
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data) == nil)
    }

    @Test(arguments: [(90.0, 180.0, true), (90.1, 0, false), (0, -180.1, false), (.nan, 0, false)])
    func `degrees have bounds`(latitude: Double, longitude: Double, isValid: Bool) {
        let place = CLLocationCoordinate2DMake(latitude, longitude)
        #expect(CLLocationCoordinate2DIsValid(place) == isValid)
    }

    @Test func `a region ends at its radius`() {
        // A degree of latitude is 111.2 km on a sphere of the Earth's size.
        let region = CLCircularRegion(center: vienna, radius: 112_000, identifier: "")
        #expect(region.contains(CLLocationCoordinate2DMake(vienna.latitude + 1, vienna.longitude)))
        #expect(
            !region.contains(CLLocationCoordinate2DMake(vienna.latitude + 1.02, vienna.longitude)))
    }
}
