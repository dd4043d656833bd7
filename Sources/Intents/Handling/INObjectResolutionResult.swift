internal import Foundation

/// What is meant by a value of a type of the app.
open class INObjectResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: INObject) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [INObject]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: INObject?) -> Self {
        Self(.confirmationRequired(value))
    }
}
