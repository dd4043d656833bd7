public import Foundation

/// A ride that could be taken.
public final class INRideOption: NSObject, NSCopying {
    /// What kind of ride.
    public let name: String
    /// When it would be there.
    public let estimatedPickupDate: Date
    /// What it costs at least.
    public var minimumPrice: INCurrencyAmount?
    /// What the user has to know before booking.
    public var disclaimerMessage: String?
    /// For how many.
    public var availablePartySizes: [Int]?

    /// A ride that could be taken.
    public init(name: String, estimatedPickupDate: Date) {
        self.name = name
        self.estimatedPickupDate = estimatedPickupDate
    }

    /// A ride with the same values.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = INRideOption(name: name, estimatedPickupDate: estimatedPickupDate)
        copy.minimumPrice = minimumPrice
        copy.disclaimerMessage = disclaimerMessage
        copy.availablePartySizes = availablePartySizes
        return copy
    }
}

extension INRideOption: StorableValue {
    var storedParts: [String: Any?] {
        [
            "name": name, "estimatedPickupDate": estimatedPickupDate,
            "minimumPrice": minimumPrice, "disclaimerMessage": disclaimerMessage,
            "availablePartySizes": availablePartySizes,
        ]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        guard let name = parts["name"] as? String,
            let date = parts["estimatedPickupDate"] as? Date
        else { return nil }
        let option = Self(name: name, estimatedPickupDate: date)
        option.minimumPrice = parts["minimumPrice"] as? INCurrencyAmount
        option.disclaimerMessage = parts["disclaimerMessage"] as? String
        option.availablePartySizes = parts["availablePartySizes"] as? [Int]
        return option
    }
}
