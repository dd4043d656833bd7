internal import Foundation

/// What the app answered to an ``INPlayMediaIntent``.
public final class INPlayMediaIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(code: INPlayMediaIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INPlayMediaIntentResponseCode { code(or: .unspecified) }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INPlayMediaIntentResponse.code)
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp, .handleInApp: .deferredToApplication
        case .inProgress: .inProgress
        case .success: .success
        case .failure,
            .failureRequiringAppLaunch,
            .failureUnknownMediaType,
            .failureNoUnplayedContent,
            .failureRestrictedContent,
            .failureMaxStreamLimitReached:
            .failure
        }
    }
}
