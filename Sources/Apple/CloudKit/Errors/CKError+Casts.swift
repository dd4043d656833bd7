public import Foundation

// What Apple's systems have by their bridge: a `CKError` is an `NSError` wherever it is looked at,
// also as an element of a collection, as in `partialErrors as? [AnyHashable: NSError]`.
extension CKError: _ObjectiveCBridgeable {
    /// The error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Takes an `NSError` of the domain ``CKErrorDomain``; others become nil.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) {
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
    }

    /// Takes an `NSError` of the domain ``CKErrorDomain``; others become nil.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout CKError?
    ) -> Bool {
        result = source.domain == CKErrorDomain ? CKError(_nsError: source) : nil
        return result != nil
    }

    /// Takes an `NSError`; what is none of this module becomes an internal error.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CKError {
        var result: CKError?
        if let source { _forceBridgeFromObjectiveC(source, result: &result) }
        return result ?? CKError(.internalError, "an error of another domain")
    }
}
