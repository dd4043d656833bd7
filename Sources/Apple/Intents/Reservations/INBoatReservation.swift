public import Foundation

/// Boat reservation.
public final class INBoatReservation: INReservation {
    /// Reserved seat.
    public private(set) var reservedSeat: INSeat?
    /// Boat trip.
    public private(set) var boatTrip: INBoatTrip?

    /// What was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil, reservedSeat: INSeat?,
        boatTrip: INBoatTrip?
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.reservedSeat = reservedSeat
        self.boatTrip = boatTrip
    }

    override var details: [String: Any?] {
        ["reservedSeat": reservedSeat, "boatTrip": boatTrip]
    }

    override func take(_ details: [String: Any]) {
        reservedSeat = details["reservedSeat"] as? INSeat
        boatTrip = details["boatTrip"] as? INBoatTrip
    }
}
