internal import Foundation

/// What the app answered to an ``INStartAudioCallIntent``.
public final class INStartAudioCallIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(code: INStartAudioCallIntentResponseCode, userActivity: NSUserActivity?)
    {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INStartAudioCallIntentResponseCode { code(or: .unspecified) }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INStartAudioCallIntentResponse.code)
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp: .deferredToApplication
        case .failure, .failureRequiringAppLaunch: .failure
        }
    }
}
