internal import Foundation

/// A ride that is booked.
public final class INRequestRideIntent: INIntent {
    /// A ride.
    public convenience init(
        pickupLocation: CLPlacemark? = nil, dropOffLocation: CLPlacemark? = nil,
        rideOptionName: INSpeakableString? = nil, partySize: Int? = nil,
        scheduledPickupTime: INDateComponentsRange? = nil
    ) {
        self.init()
        values["pickupLocation"] = pickupLocation
        values["dropOffLocation"] = dropOffLocation
        values["rideOptionName"] = rideOptionName
        values["partySize"] = partySize
        values["scheduledPickupTime"] = scheduledPickupTime
    }

    /// Where from.
    public var pickupLocation: CLPlacemark? { value("pickupLocation") }

    /// Where to.
    public var dropOffLocation: CLPlacemark? { value("dropOffLocation") }

    /// Which kind of ride.
    public var rideOptionName: INSpeakableString? { value("rideOptionName") }

    /// For how many.
    public var partySize: Int? { value("partySize") }

    /// When.
    public var scheduledPickupTime: INDateComponentsRange? { value("scheduledPickupTime") }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "pickupLocation", \INRequestRideIntent.pickupLocation),
            .init(stored: "dropOffLocation", \INRequestRideIntent.dropOffLocation),
            .init(stored: "rideOptionName", \INRequestRideIntent.rideOptionName),
            .init(stored: "partySize", \INRequestRideIntent.partySize),
            .init(stored: "scheduledPickupTime", \INRequestRideIntent.scheduledPickupTime),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["dropOffLocation"], title: "Ride"),
            .init(["pickupLocation", "dropOffLocation"], title: "Ride"),
            .init(["dropOffLocation", "rideOptionName"], title: "Ride with ${rideOptionName}"),
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INRequestRideIntentHandling else { return nil }
        return INIntentPhases(
            for: INRequestRideIntent.self,
            resolving: [
                "pickupLocation": { intent, answer in
                    handler.resolvePickupLocation(for: intent) { answer(.one($0)) }
                },
                "dropOffLocation": { intent, answer in
                    handler.resolveDropOffLocation(for: intent) { answer(.one($0)) }
                },
                "rideOptionName": { intent, answer in
                    handler.resolveRideOptionName(for: intent) { answer(.one($0)) }
                },
                "partySize": { intent, answer in
                    handler.resolvePartySize(for: intent) { answer(.one($0)) }
                },
            ],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
