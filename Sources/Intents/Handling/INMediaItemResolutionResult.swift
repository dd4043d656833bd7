internal import Foundation

/// What is meant by something to play.
open class INMediaItemResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: INMediaItem) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [INMediaItem]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: INMediaItem?) -> Self {
        Self(.confirmationRequired(value))
    }
}
