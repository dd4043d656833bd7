public import Foundation

/// What a person asked an app to do.
///
/// Subclass it as Xcode's generated code does, with two changes: `@NSManaged` properties become
/// plain ones, and ``donationParameters`` lists them. A copy is a new object of the same class
/// with the listed properties.
///
/// - SeeAlso: <https://developer.apple.com/documentation/sirikit/inintent>
open class INIntent: NSObject, NSCopying, ValuesByName {
    var values: [String: Any] = [:]
    var images: [String: INImage] = [:]

    /// The identifier that the system gave the intent when it asked for it; nil for intents that
    /// the app made.
    open internal(set) var identifier: String?
    /// What the person may want to say for it.
    open var suggestedInvocationPhrase: String?
    /// When its shortcut is of use.
    open var shortcutAvailability: INShortcutAvailabilityOptions = []
    /// More about a donation of it.
    open var donationMetadata: INIntentDonationMetadata? {
        // On Linux `@NSCopying` compiles and copies nothing.
        get { metadata }
        set { metadata = newValue.map { $0.copy() as? INIntentDonationMetadata ?? $0 } }
    }
    private var metadata: INIntentDonationMetadata?

    /// An intent without any values.
    public required override init() { super.init() }

    /// The parameters, for donating, copying and images. Not in Apple's interface.
    open class var donationParameters: [INParameterTable.Entry] { [] }

    /// The combinations of parameters that make a shortcut. Not in Apple's interface.
    ///
    /// An intent without any is taken as a whole, and makes no shortcut of its own.
    open class var donationCombinations: [INParameterTable.Combination] { [] }

    /// The name of the class, without its module.
    open var intentClassName: String { String(describing: type(of: self)) }

    /// Who carries out the intent's three phases; nil: `handler` does not take this intent.
    ///
    /// Not in Apple's interface, where the Objective-C runtime finds the handler's methods. A
    /// custom intent overrides it and gives the methods of its handling protocol.
    open func handlingPhases(of handler: Any) -> INIntentPhases? { nil }

    /// What the intent would do, in words: the title of its best combination.
    open var intentDescription: String? {
        guard let combination = bestCombination else { return nil }
        return filled(combination.title)
    }

    /// The line below ``intentDescription``.
    var shortcutSubtitle: String? { bestCombination?.subtitle.map(filled) }

    /// A new object with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        for entry in parameters { entry.write(copy, entry.read(self)) }
        copy.values = values
        copy.images = images
        copy.identifier = identifier
        copy.suggestedInvocationPhrase = suggestedInvocationPhrase
        copy.shortcutAvailability = shortcutAvailability
        copy.donationMetadata = donationMetadata
        return copy
    }

    /// The image of the first parameter that has one, in the order of the parameters.
    open func keyImage() -> INImage? {
        parameters.lazy.compactMap { self.images[$0.name] }.first
    }

    // MARK: Inside the module

    /// The parameters of this object.
    var parameters: [INParameterTable.Entry] { type(of: self).donationParameters }
    /// The combinations of this object.
    var combinations: [INParameterTable.Combination] { type(of: self).donationCombinations }

    /// The most specific combination whose parameters all have values.
    var bestCombination: INParameterTable.Combination? {
        let filled = Set(parameters.filter { $0.read(self) != nil }.map(\.name))
        return combinations.filter { $0.parameters.isSubset(of: filled) && !$0.title.isEmpty }
            .max { $0.parameters.count < $1.parameters.count }
    }

    /// A title with values in its places.
    private func filled(_ title: String) -> String {
        parameters.reduce(title) { title, entry in
            guard title.contains("${\(entry.name)}") else { return title }
            return title.replacingOccurrences(
                of: "${\(entry.name)}", with: DisplayText.of(entry.read(self)))
        }
    }

    /// A value of a system intent.
    func value<Value>(_ name: String) -> Value? { values[name] as? Value }

    /// A code of a system intent, kept as its number.
    func code<Code: RawRepresentable<Int>>(_ name: String, or other: Code) -> Code {
        (values[name] as? Int).flatMap { Code(rawValue: $0) } ?? other
    }
}
