/// How a reservation stands.
public enum INReservationStatus: Int, Sendable {
    /// Nobody said.
    case unknown
    /// It was given up.
    case canceled
    /// It is not sure yet.
    case pending
    /// It is held.
    case hold
    /// It is sure.
    case confirmed
}
