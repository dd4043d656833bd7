internal import Foundation

/// What is meant, or why the app cannot do it.
open class INSendMessageRecipientResolutionResult: INPersonResolutionResult {
    /// The app cannot do it, for this reason.
    public class func unsupported(forReason reason: INSendMessageRecipientUnsupportedReason) -> Self
    {
        Self(.unsupported(reason: reason.rawValue))
    }
}
