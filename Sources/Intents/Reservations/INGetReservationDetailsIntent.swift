internal import Foundation

/// The details of reservations; donated each time the user looks at them.
public final class INGetReservationDetailsIntent: INIntent {
    /// The details of reservations.
    public convenience init(
        reservationContainerReference: INSpeakableString?,
        reservationItemReferences: [INSpeakableString]?
    ) {
        self.init()
        values["reservationContainerReference"] = reservationContainerReference
        values["reservationItemReferences"] = reservationItemReferences
    }

    /// What the reservations belong to, such as a journey.
    public var reservationContainerReference: INSpeakableString? {
        value("reservationContainerReference")
    }

    /// Which reservations.
    public var reservationItemReferences: [INSpeakableString]? {
        value("reservationItemReferences")
    }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(
                stored: "reservationContainerReference",
                \INGetReservationDetailsIntent.reservationContainerReference),
            .init(
                stored: "reservationItemReferences",
                \INGetReservationDetailsIntent.reservationItemReferences),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["reservationItemReferences"], title: "Show ${reservationItemReferences}"),
            .init(
                ["reservationContainerReference"], title: "Show ${reservationContainerReference}"),
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INGetReservationDetailsIntentHandling else {
            return nil
        }
        return INIntentPhases(
            for: INGetReservationDetailsIntent.self,
            resolving: [:],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
