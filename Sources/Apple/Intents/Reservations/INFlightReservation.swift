public import Foundation

/// Flight reservation.
public final class INFlightReservation: INReservation {
    /// Reserved seat.
    public private(set) var reservedSeat: INSeat?
    /// Flight.
    public private(set) var flight: INFlight = INFlight([:])

    /// What was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil, reservedSeat: INSeat?, flight: INFlight
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.reservedSeat = reservedSeat
        self.flight = flight
    }

    override var details: [String: Any?] {
        ["reservedSeat": reservedSeat, "flight": flight]
    }

    override func take(_ details: [String: Any]) {
        reservedSeat = details["reservedSeat"] as? INSeat
        flight = details["flight"] as? INFlight ?? flight
    }
}
