internal import Foundation

/// What is meant by a number.
open class INIntegerResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: Int) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [Int]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: Int?) -> Self {
        Self(.confirmationRequired(value))
    }
}
