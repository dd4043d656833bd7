/// Handles the question which rides there are.
///
/// Only `handle` must be there.
public protocol INListRideOptionsIntentHandling {
    /// Carries it out.
    func handle(
        intent: INListRideOptionsIntent,
        completion: @escaping (INListRideOptionsIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INListRideOptionsIntent,
        completion: @escaping (INListRideOptionsIntentResponse) -> Void)
    /// Finds out what is meant by the parameter `pickupLocation`.
    func resolvePickupLocation(
        for intent: INListRideOptionsIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void)
    /// Finds out what is meant by the parameter `dropOffLocation`.
    func resolveDropOffLocation(
        for intent: INListRideOptionsIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void)
}

extension INListRideOptionsIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INListRideOptionsIntent,
        completion: @escaping (INListRideOptionsIntentResponse) -> Void
    ) { completion(INListRideOptionsIntentResponse(code: .ready, userActivity: nil)) }
    /// Takes the parameter as it is.
    public func resolvePickupLocation(
        for intent: INListRideOptionsIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void
    ) { completion(.notRequired()) }
    /// Takes the parameter as it is.
    public func resolveDropOffLocation(
        for intent: INListRideOptionsIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void
    ) { completion(.notRequired()) }
}
