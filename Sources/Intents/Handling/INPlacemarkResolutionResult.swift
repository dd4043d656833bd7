internal import Foundation

/// What is meant by a place.
open class INPlacemarkResolutionResult: INIntentResolutionResult {
    /// It is this.
    public class func success(with resolved: CLPlacemark) -> Self {
        Self(.success(resolved))
    }

    /// It is one of these; the person has to choose.
    public class func disambiguation(with choices: [CLPlacemark]) -> Self {
        Self(.disambiguation(choices))
    }

    /// It is probably this; the person has to agree.
    public class func confirmationRequired(with value: CLPlacemark?) -> Self {
        Self(.confirmationRequired(value))
    }
}
