public import Foundation

/// Finds who handles an intent.
public protocol INIntentHandlerProviding {
    /// The object that handles `intent`; nil: nobody does.
    func handler(for intent: INIntent) -> Any?
}

/// The start of an Intents extension: subclass it and return a handler for each intent.
open class INExtension: NSObject, INIntentHandlerProviding {
    /// An extension.
    public override init() { super.init() }

    /// The object that handles `intent`: the extension itself, unless a subclass knows better.
    open func handler(for intent: INIntent) -> Any? { self }
}
