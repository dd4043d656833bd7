import Foundation
import Intents

/// What Xcode would generate from the intent definition, with plain properties.
public class OrderSoupIntent: INIntent {
    public var soup: INObject?
    public var quantity: NSNumber?

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init("soup", \OrderSoupIntent.soup),
            .init("quantity", \OrderSoupIntent.quantity),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["soup"], title: "Order ${soup}"),
            .init(["soup", "quantity"], title: "Order ${quantity} ${soup}"),
        ]
    }
}

public enum OrderSoupIntentResponseCode: Int {
    case unspecified = 0
    case ready
    case continueInApp
    case inProgress
    case success
    case failure
    case failureRequiringAppLaunch
    case failureOutOfStock = 100
}

public class OrderSoupIntentResponse: INIntentResponse {
    public fileprivate(set) var code: OrderSoupIntentResponseCode = .unspecified
    public var waitTime: NSNumber?

    public convenience init(code: OrderSoupIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        self.code = code
        self.userActivity = userActivity
    }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init("code", \OrderSoupIntentResponse.code),
            .init("waitTime", \OrderSoupIntentResponse.waitTime),
        ]
    }

    public override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: return .unspecified
        case .ready: return .ready
        case .continueInApp: return .deferredToApplication
        case .inProgress: return .inProgress
        case .success: return .success
        case .failure, .failureRequiringAppLaunch, .failureOutOfStock: return .failure
        }
    }
}
