internal import Foundation

/// What the app answered to an ``INGetReservationDetailsIntent``.
public final class INGetReservationDetailsIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(
        code: INGetReservationDetailsIntentResponseCode, userActivity: NSUserActivity?
    ) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INGetReservationDetailsIntentResponseCode { code(or: .unspecified) }

    /// The reservations.
    public var reservations: [INReservation]? {
        get { value("reservations") }
        set { values["reservations"] = newValue }
    }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INGetReservationDetailsIntentResponse.code),
            .init(stored: "reservations", \INGetReservationDetailsIntentResponse.reservations),
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .inProgress: .inProgress
        case .success: .success
        case .failure, .failureRequiringAppLaunch: .failure
        }
    }
}
