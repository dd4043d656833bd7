public import Foundation

/// Rental car reservation.
public final class INRentalCarReservation: INReservation {
    /// Rental car.
    public private(set) var rentalCar: INRentalCar = INRentalCar([:])
    /// Rental duration.
    public private(set) var rentalDuration: INDateComponentsRange = INDateComponentsRange(
        start: nil, end: nil)
    /// Pickup location.
    public private(set) var pickupLocation: CLPlacemark?
    /// Drop off location.
    public private(set) var dropOffLocation: CLPlacemark?

    /// What was reserved.
    public convenience init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil, rentalCar: INRentalCar,
        rentalDuration: INDateComponentsRange, pickupLocation: CLPlacemark?,
        dropOffLocation: CLPlacemark?
    ) {
        self.init(
            itemReference: itemReference, reservationNumber: reservationNumber,
            bookingTime: bookingTime, reservationStatus: reservationStatus,
            reservationHolderName: reservationHolderName, actions: actions, url: url)
        self.rentalCar = rentalCar
        self.rentalDuration = rentalDuration
        self.pickupLocation = pickupLocation
        self.dropOffLocation = dropOffLocation
    }

    override var details: [String: Any?] {
        [
            "rentalCar": rentalCar, "rentalDuration": rentalDuration,
            "pickupLocation": pickupLocation, "dropOffLocation": dropOffLocation,
        ]
    }

    override func take(_ details: [String: Any]) {
        rentalCar = details["rentalCar"] as? INRentalCar ?? rentalCar
        rentalDuration = details["rentalDuration"] as? INDateComponentsRange ?? rentalDuration
        pickupLocation = details["pickupLocation"] as? CLPlacemark
        dropOffLocation = details["dropOffLocation"] as? CLPlacemark
    }
}
