internal import Foundation

/// What the app answered to an ``INEndWorkoutIntent``.
public final class INEndWorkoutIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(code: INEndWorkoutIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INEndWorkoutIntentResponseCode { code(or: .unspecified) }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INEndWorkoutIntentResponse.code)
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp, .handleInApp: .deferredToApplication
        case .failure, .failureRequiringAppLaunch, .failureNoMatchingWorkout: .failure
        case .success: .success
        }
    }
}
