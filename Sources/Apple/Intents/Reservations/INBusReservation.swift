public import Foundation

/// Bus reservation.
public final class INBusReservation: INReservation {
    /// Reserved seat.
    public private(set) var reservedSeat: INSeat?
    /// Bus trip.
    public private(set) var busTrip: INBusTrip?

    /// What was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil, reservedSeat: INSeat?, busTrip: INBusTrip?
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.reservedSeat = reservedSeat
        self.busTrip = busTrip
    }

    override var details: [String: Any?] {
        ["reservedSeat": reservedSeat, "busTrip": busTrip]
    }

    override func take(_ details: [String: Any]) {
        reservedSeat = details["reservedSeat"] as? INSeat
        busTrip = details["busTrip"] as? INBusTrip
    }
}
