/// Where a workout takes place.
public enum INWorkoutLocationType: Int, Sendable {
    /// Nobody said.
    case unknown
    /// Outside.
    case outdoor
    /// Inside.
    case indoor
}
