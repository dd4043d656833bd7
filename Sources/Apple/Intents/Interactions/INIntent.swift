internal import CoreLocation
public import Foundation

/// What a person asked an app to do.
///
/// Subclass it as Xcode's generated code does, with two changes: `@NSManaged` properties become
/// plain ones, and ``donationParameters`` lists them. A copy is a new object of the same class
/// with the listed properties.
///
/// - SeeAlso: <https://developer.apple.com/documentation/sirikit/inintent>
open class INIntent: NSObject, NSCopying, NSSecureCoding, ValuesByName {
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

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// The intent that an archive holds; nil when it cannot be read, or held what cannot be kept.
    public required init?(coder: NSCoder) {
        super.init()
        guard let kept = Archive.parts(in: coder) else { return nil }
        restore(kept, with: coder)
    }

    open func encode(with coder: NSCoder) {
        Archive.encode(
            Dictionary(
                parameters.map { ($0.name, $0.read(self)) }, uniquingKeysWith: { $1 }), in: coder)
        Archive.encode(text: identifier, "identifier", in: coder)
        Archive.encode(text: suggestedInvocationPhrase, "phrase", in: coder)
        coder.encode(Int64(shortcutAvailability.rawValue), forKey: "availability")
        coder.encode(NSDictionary(dictionary: images), forKey: "images")
        if let metadata { coder.encode(metadata, forKey: "metadata") }
    }

    func restore(_ kept: [String: Any], with coder: NSCoder) {
        for entry in parameters { entry.write(self, kept[entry.name]) }
        identifier = Archive.text("identifier", in: coder)
        suggestedInvocationPhrase = Archive.text("phrase", in: coder)
        shortcutAvailability = INShortcutAvailabilityOptions(
            rawValue: UInt(max(0, coder.decodeInt64(forKey: "availability"))))
        let types = [NSDictionary.self, NSString.self, INImage.self]
        images = coder.decodeIfThere(anyOf: types, "images") as? [String: INImage] ?? [:]
        metadata = coder.decodeIfThere(INIntentDonationMetadata.self, "metadata")
    }

    // MARK: Inside the module

    /// What a system intent that Apple's list has no combinations for is called.
    class var systemTitle: String? { nil }
    /// The parameters of this object.
    var parameters: [INParameterTable.Entry] { type(of: self).donationParameters }
    /// The combinations of this object.
    var combinations: [INParameterTable.Combination] { type(of: self).donationCombinations }

    /// The most specific combination whose parameters all have values.
    var bestCombination: INParameterTable.Combination? {
        let filled = Set(parameters.filter { $0.read(self) != nil }.map(\.name))
        if let title = type(of: self).systemTitle { return .init(filled, title: title) }
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
}
