internal import Foundation

/// What is meant, or why the app cannot do it.
open class INPlayMediaMediaItemResolutionResult: INMediaItemResolutionResult {
    /// The app cannot do it, for this reason.
    public class func unsupported(forReason reason: INPlayMediaMediaItemUnsupportedReason) -> Self {
        Self(.unsupported(reason: reason.rawValue))
    }
}
