public import Foundation

/// What the app says of one parameter.
open class INIntentResolutionResult: NSObject {
    /// What it says. Not in Apple's interface, where it cannot be read.
    public enum Outcome {
        /// It is this value.
        case success(Any)
        /// It is one of these.
        case disambiguation([Any])
        /// It is probably this.
        case confirmationRequired(Any?)
        /// It has to be there, and is not.
        case needsValue
        /// It need not be there.
        case notRequired
        /// The app cannot do it, for a reason by number.
        case unsupported(reason: Int?)
    }

    /// What it says. Not in Apple's interface.
    public let outcome: Outcome
    /// Whether nobody said it: the app has no method for the parameter.
    var isAbsent = false

    /// A result. Not in Apple's interface; use the functions.
    public required init(_ outcome: Outcome) { self.outcome = outcome }

    /// The parameter has to be there, and is not.
    open class func needsValue() -> Self { Self(.needsValue) }

    /// The parameter need not be there.
    open class func notRequired() -> Self { Self(.notRequired) }

    /// The app cannot do it.
    open class func unsupported() -> Self { Self(.unsupported(reason: nil)) }

    /// The app cannot do it, for a reason of a custom intent.
    open class func unsupported(with reason: Int) -> Self { Self(.unsupported(reason: reason)) }
}
