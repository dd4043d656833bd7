public import Foundation

/// What the app answered to an intent.
///
/// A generated response class compiles with its `@NSManaged` properties made plain and listed in
/// ``donationParameters``, its `code` too.
open class INIntentResponse: NSObject, NSCopying, NSSecureCoding, ValuesByName {
    var values: [String: Any] = [:]
    /// Whether nobody made it: the app's handler has no method for the intent.
    var hasNoHandler = false
    /// Whether it says that nothing was looked at beforehand, so that the intent can go on.
    var isAgreed = false

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

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// The response that an archive holds; nil when it cannot be read, or held what cannot be kept.
    public required init?(coder: NSCoder) {
        super.init()
        guard let kept = Archive.parts(in: coder) else { return nil }
        for entry in type(of: self).donationParameters { entry.write(self, kept[entry.name]) }
        userActivity = Archive.activity(in: coder)
    }

    open func encode(with coder: NSCoder) {
        Archive.encode(
            Dictionary(
                type(of: self).donationParameters.map { ($0.name, $0.read(self)) },
                uniquingKeysWith: { $1 }), in: coder)
        Archive.encode(userActivity, in: coder)
    }

    /// A new object with the same values and the same activity.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        for entry in type(of: self).donationParameters { entry.write(copy, entry.read(self)) }
        copy.values = values
        copy.userActivity = userActivity
        return copy
    }
}
