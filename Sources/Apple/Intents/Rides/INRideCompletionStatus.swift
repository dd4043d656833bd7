internal import Foundation

/// How a ride ended.
public final class INRideCompletionStatus: INValueObject {
    private class func ended(
        _ flags: [String], _ more: [String: Any?] = [:]
    ) -> Self {
        Self(Dictionary(uniqueKeysWithValues: flags.map { ($0, true) }).merging(more) { $1 })
    }

    /// It is done and paid.
    public class func completed() -> Self { ended(["isCompleted"]) }
    /// It is done, and this was paid.
    public class func completed(settled settledPaymentAmount: INCurrencyAmount) -> Self {
        ended(["isCompleted"], ["paymentAmount": settledPaymentAmount])
    }
    /// It is done, and this is to be paid.
    public class func completed(outstanding outstandingPaymentAmount: INCurrencyAmount) -> Self {
        ended(["isCompleted", "isOutstanding"], ["paymentAmount": outstandingPaymentAmount])
    }
    /// It is done, and the app would like to hear how it was.
    public class func completed(feedbackType: INRideFeedbackTypeOptions = []) -> Self {
        ended(["isCompleted", "isOutstanding"], ["feedbackType": feedbackType])
    }
    /// The service gave it up.
    public class func canceledByService() -> Self { ended(["isCanceled"]) }
    /// The person gave it up.
    public class func canceledByUser() -> Self { ended(["isCanceled"]) }
    /// The person was not there.
    public class func canceledMissedPickup() -> Self { ended(["isCanceled", "isMissedPickup"]) }

    /// Whether it is done.
    public var isCompleted: Bool { value("isCompleted") ?? false }
    /// Whether it was given up.
    public var isCanceled: Bool { value("isCanceled") ?? false }
    /// Whether the person was not there.
    public var isMissedPickup: Bool { value("isMissedPickup") ?? false }
    /// Whether something is left to do for the person.
    public var isOutstanding: Bool { value("isOutstanding") ?? false }
    /// What was paid or is to be paid.
    public var paymentAmount: INCurrencyAmount? { value("paymentAmount") }
    /// What the app would like to hear.
    public var feedbackType: INRideFeedbackTypeOptions {
        value("feedbackType") ?? []
    }
    /// An activity with which the person can finish it in the app; not stored.
    public var completionUserActivity: NSUserActivity? {
        get { value("completionUserActivity") }
        set { values["completionUserActivity"] = newValue }
    }
    /// Tips that are proposed.
    public var defaultTippingOptions: Set<INCurrencyAmount>? {
        get { (values["defaultTippingOptions"] as? [INCurrencyAmount]).map { Set($0) } }
        set { values["defaultTippingOptions"] = newValue.map { Array($0) } }
    }
}
