/// What can be done about a reservation.
public enum INReservationActionType: Int, Sendable {
    /// Nobody said.
    case unknown
    /// Say that one comes.
    case checkIn
}
