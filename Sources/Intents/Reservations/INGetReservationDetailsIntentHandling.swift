/// Handles the showing of reservations.
///
/// Only `handle` must be there.
public protocol INGetReservationDetailsIntentHandling {
    /// Carries it out.
    func handle(
        intent: INGetReservationDetailsIntent,
        completion: @escaping (INGetReservationDetailsIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INGetReservationDetailsIntent,
        completion: @escaping (INGetReservationDetailsIntentResponse) -> Void)
}

extension INGetReservationDetailsIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INGetReservationDetailsIntent,
        completion: @escaping (INGetReservationDetailsIntentResponse) -> Void
    ) { completion(INGetReservationDetailsIntentResponse(code: .ready, userActivity: nil)) }
}
