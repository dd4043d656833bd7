/// What the aim of a workout counts.
public enum INWorkoutGoalUnitType: Int, Sendable {
    /// Nobody said.
    case unknown
    /// Inches.
    case inch
    /// Metres.
    case meter
    /// Feet.
    case foot
    /// Miles.
    case mile
    /// Yards.
    case yard
    /// Seconds.
    case second
    /// Minutes.
    case minute
    /// Hours.
    case hour
    /// Joules.
    case joule
    /// Kilocalories.
    case kiloCalorie
}
