public import Foundation

/// Something that was reserved.
public class INReservation: NSObject, NSCopying, NSSecureCoding {
    /// What people call it; its vocabulary identifier is the app's own name.
    public let itemReference: INSpeakableString
    /// The number of the reservation.
    public let reservationNumber: String?
    /// When it was made.
    public let bookingTime: Date?
    /// How it stands.
    public let reservationStatus: INReservationStatus
    /// On whose name.
    public let reservationHolderName: String?
    /// What the user can do about it.
    public let actions: [INReservationAction]?
    /// Where it can be seen.
    public let url: URL?

    /// Something that was reserved.
    public required init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?,
        actions: [INReservationAction]?, url: URL? = nil
    ) {
        self.itemReference = itemReference
        self.reservationNumber = reservationNumber
        self.bookingTime = bookingTime
        self.reservationStatus = reservationStatus
        self.reservationHolderName = reservationHolderName
        self.actions = actions
        self.url = url
    }

    // MARK: Archives

    public class var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public required convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    var details: [String: Any?] { [:] }
    func take(_ details: [String: Any]) {}
}

extension INReservation: StorableValue {
    var storedParts: [String: Any?] {
        [
            "itemReference": itemReference, "reservationNumber": reservationNumber,
            "bookingTime": bookingTime, "reservationStatus": reservationStatus.rawValue,
            "reservationHolderName": reservationHolderName, "actions": actions, "url": url,
        ].merging(details) { $1 }
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        guard let reference = parts["itemReference"] as? INSpeakableString else { return nil }
        let reservation = Self(
            itemReference: reference, reservationNumber: parts["reservationNumber"] as? String,
            bookingTime: parts["bookingTime"] as? Date,
            reservationStatus: (parts["reservationStatus"] as? Int)
                .flatMap { INReservationStatus(rawValue: $0) } ?? .unknown,
            reservationHolderName: parts["reservationHolderName"] as? String,
            actions: parts["actions"] as? [INReservationAction], url: parts["url"] as? URL)
        reservation.take(parts)
        return reservation
    }
}
