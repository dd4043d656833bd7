public import Foundation

extension INListRideOptionsIntentResponse {
    /// The rides that still hold: none from ``expirationDate`` on. Not in Apple's interface.
    public func rideOptions(at date: Date) -> [INRideOption] {
        if let expirationDate, date >= expirationDate { return [] }
        return rideOptions ?? []
    }
}
