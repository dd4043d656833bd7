/// Handles the booking of rides.
///
/// Only `handle` must be there.
public protocol INRequestRideIntentHandling {
    /// Carries it out.
    func handle(
        intent: INRequestRideIntent, completion: @escaping (INRequestRideIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INRequestRideIntent, completion: @escaping (INRequestRideIntentResponse) -> Void)
    /// Finds out what is meant by the parameter `pickupLocation`.
    func resolvePickupLocation(
        for intent: INRequestRideIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void)
    /// Finds out what is meant by the parameter `dropOffLocation`.
    func resolveDropOffLocation(
        for intent: INRequestRideIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void)
    /// Finds out what is meant by the parameter `rideOptionName`.
    func resolveRideOptionName(
        for intent: INRequestRideIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void)
    /// Finds out what is meant by the parameter `partySize`.
    func resolvePartySize(
        for intent: INRequestRideIntent,
        with completion: @escaping (INIntegerResolutionResult) -> Void)
}

extension INRequestRideIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INRequestRideIntent, completion: @escaping (INRequestRideIntentResponse) -> Void
    ) { completion(INRequestRideIntentResponse(code: .ready, userActivity: nil)) }
    /// Takes the parameter as it is.
    public func resolvePickupLocation(
        for intent: INRequestRideIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void
    ) { completion(.notRequired()) }
    /// Takes the parameter as it is.
    public func resolveDropOffLocation(
        for intent: INRequestRideIntent,
        with completion: @escaping (INPlacemarkResolutionResult) -> Void
    ) { completion(.notRequired()) }
    /// Takes the parameter as it is.
    public func resolveRideOptionName(
        for intent: INRequestRideIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void
    ) { completion(.notRequired()) }
    /// Takes the parameter as it is.
    public func resolvePartySize(
        for intent: INRequestRideIntent,
        with completion: @escaping (INIntegerResolutionResult) -> Void
    ) { completion(.notRequired()) }
}
