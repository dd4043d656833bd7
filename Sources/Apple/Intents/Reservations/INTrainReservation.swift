public import Foundation

/// Train reservation.
public final class INTrainReservation: INReservation {
    /// Reserved seat.
    public private(set) var reservedSeat: INSeat?
    /// Train trip.
    public private(set) var trainTrip: INTrainTrip = INTrainTrip([:])

    /// What was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil, reservedSeat: INSeat?,
        trainTrip: INTrainTrip
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.reservedSeat = reservedSeat
        self.trainTrip = trainTrip
    }

    override var details: [String: Any?] {
        ["reservedSeat": reservedSeat, "trainTrip": trainTrip]
    }

    override func take(_ details: [String: Any]) {
        reservedSeat = details["reservedSeat"] as? INSeat
        trainTrip = details["trainTrip"] as? INTrainTrip ?? trainTrip
    }
}
