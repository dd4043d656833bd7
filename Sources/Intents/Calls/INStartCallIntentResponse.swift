internal import Foundation

/// What the app answered to an ``INStartCallIntent``.
public final class INStartCallIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(code: INStartCallIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INStartCallIntentResponseCode { code(or: .unspecified) }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INStartCallIntentResponse.code)
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp: .deferredToApplication
        case .userConfirmationRequired,
            .failure,
            .failureRequiringAppLaunch,
            .failureCallingServiceNotAvailable,
            .failureContactNotSupportedByApp:
            .failure
        }
    }
}
