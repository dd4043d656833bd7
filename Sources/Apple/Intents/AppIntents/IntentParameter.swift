/// A parameter of an action, as `@Parameter` declares it.
@propertyWrapper
public struct IntentParameter<Value: Sendable>: Sendable {
    private var stored: Value?

    /// The value.
    ///
    /// - Precondition: It was set, or its type is optional.
    public var wrappedValue: Value {
        get {
            if let stored { return stored }
            guard let none = Optional<Any>.none as? Value else {
                preconditionFailure("a parameter of an action was read before it was set")
            }
            return none
        }
        set { stored = newValue }
    }

    /// A parameter with a title.
    public init(title: LocalizedStringResource) {}
    /// A parameter without a title.
    public init() {}

    /// The value, or nil when none was set.
    var value: Value? { stored }
}

extension AppIntent {
    /// A parameter of this action.
    public typealias Parameter = IntentParameter
}

/// Lets a donation find the values of an action's parameters.
protocol AnyIntentParameter {
    var anyValue: Any? { get }
}

extension IntentParameter: AnyIntentParameter {
    var anyValue: Any? {
        guard let value else { return nil }
        // A parameter that may be empty has an optional inside.
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
}
