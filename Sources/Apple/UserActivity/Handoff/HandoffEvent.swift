/// A step of a continuation, as one of the two sides sees it.
public enum HandoffEvent: Hashable, Sendable, CustomStringConvertible {
    /// The origin has an activity of this type to offer.
    case offered(activityType: String)
    /// The other side's app is of another team.
    case refusedTeam
    /// The destination's app does not declare the type.
    case refusedType(activityType: String)
    /// The destination asks for the activity.
    case requested(activityType: String)
    /// The origin's delegate was asked for its newest state.
    case saved
    /// The origin sent so many bytes.
    case sent(bytes: Int)
    /// The destination got so many bytes.
    case received(bytes: Int)
    /// The origin's delegate was told that the activity goes on elsewhere.
    case continued
    /// The origin's delegate got its ends of the streams.
    case streamsOpened
    /// It ended with this code of `NSCocoaErrorDomain`.
    case failed(code: Int)

    /// One line for people.
    public var description: String {
        switch self {
        case .offered(let type): "offers \(type)"
        case .refusedTeam: "refuses another team"
        case .refusedType(let type): "does not declare \(type)"
        case .requested(let type): "asks for \(type)"
        case .saved: "saves"
        case .sent(let bytes): "sends \(bytes) bytes"
        case .received(let bytes): "gets \(bytes) bytes"
        case .continued: "was continued"
        case .streamsOpened: "opens streams"
        case .failed(let code): "fails with \(code)"
        }
    }
}
