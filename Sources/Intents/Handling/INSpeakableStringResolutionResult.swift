internal import Foundation

/// What is meant by a text that can be said.
open class INSpeakableStringResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: INSpeakableString) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [INSpeakableString]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: INSpeakableString?) -> Self {
        Self(.confirmationRequired(value))
    }
}
