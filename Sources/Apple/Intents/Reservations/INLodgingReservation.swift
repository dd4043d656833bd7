public import Foundation

/// A bed that was reserved.
public final class INLodgingReservation: INReservation {
    /// Where.
    public private(set) var lodgingBusinessLocation = CLPlacemark(name: nil)
    /// For how long.
    public private(set) var reservationDuration = INDateComponentsRange(start: nil, end: nil)
    /// For how many grown-ups.
    public private(set) var numberOfAdults: Int?
    /// For how many children.
    public private(set) var numberOfChildren: Int?

    /// A bed that was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil, lodgingBusinessLocation: CLPlacemark,
        reservationDuration: INDateComponentsRange, numberOfAdults: Int?, numberOfChildren: Int?
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.lodgingBusinessLocation = lodgingBusinessLocation
        self.reservationDuration = reservationDuration
        self.numberOfAdults = numberOfAdults
        self.numberOfChildren = numberOfChildren
    }

    override var details: [String: Any?] {
        [
            "reservationDuration": reservationDuration, "numberOfAdults": numberOfAdults,
            "numberOfChildren": numberOfChildren, "location": lodgingBusinessLocation,
        ]
    }

    override func take(_ details: [String: Any]) {
        reservationDuration =
            details["reservationDuration"] as? INDateComponentsRange ?? reservationDuration
        numberOfAdults = details["numberOfAdults"] as? Int
        numberOfChildren = details["numberOfChildren"] as? Int
        lodgingBusinessLocation = details["location"] as? CLPlacemark ?? lodgingBusinessLocation
    }
}
