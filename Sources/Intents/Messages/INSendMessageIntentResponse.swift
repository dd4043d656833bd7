internal import Foundation

/// What the app answered to an ``INSendMessageIntent``.
public final class INSendMessageIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(code: INSendMessageIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INSendMessageIntentResponseCode { code(or: .unspecified) }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INSendMessageIntentResponse.code)
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .inProgress: .inProgress
        case .success: .success
        case .failure, .failureRequiringAppLaunch, .failureMessageServiceNotAvailable: .failure
        }
    }
}
