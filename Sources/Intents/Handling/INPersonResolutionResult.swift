internal import Foundation

/// What is meant by a person.
open class INPersonResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: INPerson) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [INPerson]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: INPerson?) -> Self {
        Self(.confirmationRequired(value))
    }
}
