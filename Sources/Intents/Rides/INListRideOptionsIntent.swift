internal import Foundation

/// Which rides there are.
public final class INListRideOptionsIntent: INIntent {
    /// Which rides there are.
    public convenience init(
        pickupLocation: CLPlacemark?, dropOffLocation: CLPlacemark?
    ) {
        self.init()
        values["pickupLocation"] = pickupLocation
        values["dropOffLocation"] = dropOffLocation
    }

    /// Where from.
    public var pickupLocation: CLPlacemark? { value("pickupLocation") }

    /// Where to.
    public var dropOffLocation: CLPlacemark? { value("dropOffLocation") }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "pickupLocation", \INListRideOptionsIntent.pickupLocation),
            .init(stored: "dropOffLocation", \INListRideOptionsIntent.dropOffLocation),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["pickupLocation"], title: "See rides"),
            .init(["pickupLocation", "dropOffLocation"], title: "See rides"),
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INListRideOptionsIntentHandling else { return nil }
        return INIntentPhases(
            for: INListRideOptionsIntent.self,
            resolving: [
                "pickupLocation": { intent, answer in
                    handler.resolvePickupLocation(for: intent) { answer(.one($0)) }
                },
                "dropOffLocation": { intent, answer in
                    handler.resolveDropOffLocation(for: intent) { answer(.one($0)) }
                },
            ],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
