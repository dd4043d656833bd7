internal import Foundation

/// What the app answered to an ``INRequestRideIntent``.
public final class INRequestRideIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(code: INRequestRideIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INRequestRideIntentResponseCode { code(or: .unspecified) }

    /// The app's name for the ride. Not in Apple's interface, where it is in `rideStatus`.
    public var rideIdentifier: String? {
        get { value("rideIdentifier") }
        set { values["rideIdentifier"] = newValue }
    }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INRequestRideIntentResponse.code),
            .init(stored: "rideIdentifier", \INRequestRideIntentResponse.rideIdentifier),
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .inProgress: .inProgress
        case .success: .success
        case .failure,
            .failureRequiringAppLaunch,
            .failureRequiringAppLaunchMustVerifyCredentials,
            .failureRequiringAppLaunchNoServiceInArea,
            .failureRequiringAppLaunchServiceTemporarilyUnavailable,
            .failureRequiringAppLaunchPreviousRideNeedsCompletion:
            .failure
        }
    }
}
