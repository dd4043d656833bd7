internal import Donations

/// A part of the person's day.
public enum INDailyRoutineSituation: Int, Sendable, CaseIterable {
    /// The morning.
    case morning
    /// The evening.
    case evening
    /// At home.
    case home
    /// At work.
    case work
    /// At school.
    case school
    /// At the gym.
    case gym
    /// On the way; nothing here can notice it.
    case commute
    /// With headphones; nothing here can notice it.
    case headphonesConnected
    /// In a workout; nothing here can notice it.
    case activeWorkout
    /// With the day's exercise still to do; nothing here can notice it.
    case physicalActivityIncomplete

    /// What the ranker knows of it.
    var routine: SuggestionRelevance.Routine? {
        switch self {
        case .morning: .morning
        case .evening: .evening
        case .home: .home
        case .work: .work
        case .school: .school
        case .gym: .gym
        case .commute, .headphonesConnected, .activeWorkout, .physicalActivityIncomplete: nil
        }
    }
}
