public import Foundation

/// What the app answered to an ``INListRideOptionsIntent``.
public final class INListRideOptionsIntentResponse: INIntentResponse {
    /// An answer.
    public convenience init(
        code: INListRideOptionsIntentResponseCode, userActivity: NSUserActivity?
    ) {
        self.init()
        values["code"] = code.rawValue
        self.userActivity = userActivity
    }

    /// How it went.
    public var code: INListRideOptionsIntentResponseCode { code(or: .unspecified) }

    /// The rides.
    public var rideOptions: [INRideOption]? {
        get { value("rideOptions") }
        set { values["rideOptions"] = newValue }
    }

    /// Until when they hold; a donation goes then.
    public var expirationDate: Date? {
        get { value("expirationDate") }
        set { values["expirationDate"] = newValue }
    }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "code", \INListRideOptionsIntentResponse.code),
            .init(stored: "rideOptions", \INListRideOptionsIntentResponse.rideOptions),
            .init(stored: "expirationDate", \INListRideOptionsIntentResponse.expirationDate),
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

    /// The rides that still hold: none from ``expirationDate`` on. Not in Apple's interface.
    public func rideOptions(at date: Date) -> [INRideOption] {
        if let expirationDate, date >= expirationDate { return [] }
        return rideOptions ?? []
    }
}
