internal import Foundation

/// What is meant by a text.
open class INStringResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: String) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [String]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: String?) -> Self {
        Self(.confirmationRequired(value))
    }
}
