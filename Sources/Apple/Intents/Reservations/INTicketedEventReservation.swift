public import Foundation

/// Ticketed event reservation.
public final class INTicketedEventReservation: INReservation {
    /// Reserved seat.
    public private(set) var reservedSeat: INSeat?
    /// Event.
    public private(set) var event: INTicketedEvent = INTicketedEvent([:])

    /// What was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil, reservedSeat: INSeat?,
        event: INTicketedEvent
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.reservedSeat = reservedSeat
        self.event = event
    }

    override var details: [String: Any?] {
        ["reservedSeat": reservedSeat, "event": event]
    }

    override func take(_ details: [String: Any]) {
        reservedSeat = details["reservedSeat"] as? INSeat
        event = details["event"] as? INTicketedEvent ?? event
    }
}
