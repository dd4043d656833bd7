internal import Foundation

/// What is meant by a yes or no.
open class INBooleanResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: Bool) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [Bool]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: Bool?) -> Self {
        Self(.confirmationRequired(value))
    }
}
