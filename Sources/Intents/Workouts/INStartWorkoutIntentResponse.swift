internal import Foundation

/// What the app answered to an ``INStartWorkoutIntent``.
public final class INStartWorkoutIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(code: INStartWorkoutIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INStartWorkoutIntentResponseCode { code(or: .unspecified) }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INStartWorkoutIntentResponse.code)
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp, .handleInApp: .deferredToApplication
        case .failure,
            .failureRequiringAppLaunch,
            .failureOngoingWorkout,
            .failureNoMatchingWorkout:
            .failure
        case .success: .success
        }
    }
}
