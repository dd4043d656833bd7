public import Foundation

/// A table that was reserved.
public final class INRestaurantReservation: INReservation {
    /// For how long.
    public private(set) var reservationDuration = INDateComponentsRange(start: nil, end: nil)
    /// For how many.
    public private(set) var partySize: Int?
    /// Where.
    public private(set) var restaurantLocation = CLPlacemark(name: nil)

    /// A table that was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil,
        reservationDuration: INDateComponentsRange, partySize: Int?,
        restaurantLocation: CLPlacemark
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.reservationDuration = reservationDuration
        self.partySize = partySize
        self.restaurantLocation = restaurantLocation
    }

    override var details: [String: Any?] {
        [
            "reservationDuration": reservationDuration, "partySize": partySize,
            "location": restaurantLocation,
        ]
    }

    override func take(_ details: [String: Any]) {
        reservationDuration =
            details["reservationDuration"] as? INDateComponentsRange ?? reservationDuration
        partySize = details["partySize"] as? Int
        restaurantLocation = details["location"] as? CLPlacemark ?? restaurantLocation
    }
}
