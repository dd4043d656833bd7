/// The code of a system intent's response.
protocol HandlingCode: RawRepresentable<Int> {}

extension HandlingCode {
    /// What the code says of the handling: Apple's codes share their names, and each name says it.
    var handlingStatus: INIntentHandlingStatus {
        switch "\(self)" {
        case "unspecified": .unspecified
        case "ready": .ready
        case "inProgress": .inProgress
        case "success": .success
        case "userConfirmationRequired": .userConfirmationRequired
        case "continueInApp", "handleInApp": .deferredToApplication
        default: .failure
        }
    }
}

extension INIntentResponse {
    /// The answer of a handler that looks at nothing beforehand.
    static func agreed() -> Self {
        let response = Self()
        response.isAgreed = true
        return response
    }
}
