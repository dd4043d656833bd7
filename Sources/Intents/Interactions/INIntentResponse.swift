public import Foundation

/// What the app answered to an intent.
///
/// A generated response class compiles with its `@NSManaged` properties made plain and listed in
/// ``donationParameters``, its `code` too.
open class INIntentResponse: NSObject, NSCopying, ValuesByName {
    var values: [String: Any] = [:]

    /// An activity that the app wants to have back when it is opened for this.
    ///
    /// A donation stores a copy of it, which goes when the activity is deleted by its persistent
    /// identifier; the interaction stays.
    open var userActivity: NSUserActivity?

    /// A response that says nothing.
    public required override init() { super.init() }

    /// The values that are stored. Not in Apple's interface.
    open class var donationParameters: [INParameterTable.Entry] { [] }

    /// What the code of the response says of the handling. Not in Apple's interface: override it
    /// in a custom response.
    open var handlingStatus: INIntentHandlingStatus { .unspecified }

    /// A new object with the same values and the same activity.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        for entry in type(of: self).donationParameters { entry.write(copy, entry.read(self)) }
        copy.values = values
        copy.userActivity = userActivity
        return copy
    }

    /// A value of a system response.
    func value<Value>(_ name: String) -> Value? { values[name] as? Value }

    /// The code of a system response.
    func code<Code: RawRepresentable<Int>>(or other: Code) -> Code {
        (values["code"] as? Int).flatMap { Code(rawValue: $0) } ?? other
    }
}
