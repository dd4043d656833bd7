internal import Donations
public import Foundation

/// An intent whose class is known by name only: from an intent definition, or read back from the
/// store. Not in Apple's interface, where each custom intent has a generated class.
public final class CustomIntent: INIntent {
    private var className = "CustomIntent"
    private var names: [String] = []
    private var ownCombinations: [INParameterTable.Combination] = []

    /// An intent of a class.
    public convenience init(
        className: String, parameters: [String: Any],
        combinations: [INParameterTable.Combination] = []
    ) {
        self.init()
        self.className = className
        ownCombinations = combinations
        names = parameters.keys.sorted()
        values = parameters
    }

    /// An intent of a class that an intent definition defines.
    ///
    /// - Parameter definition: The contents of an `.intentdefinition` file.
    /// - Throws: `INIntentError.invalidIntentName` when the file does not define the class, and
    ///   `.decodingGeneric` when it is no definition.
    public convenience init(
        className: String, definition: Data, parameters: [String: Any]
    ) throws {
        let definitions: [IntentDefinition]
        do {
            let plist = try PropertyListDecoder().decode(PropertyListValue.self, from: definition)
            definitions = try IntentDefinition.read(plist.value)
        } catch {
            throw INIntentError(.decodingGeneric, userInfo: [NSUnderlyingErrorKey: error])
        }
        guard let definition = definitions.first(where: { $0.className == className }) else {
            throw INIntentError(.invalidIntentName)
        }
        let known = Set(definition.parameters.map(\.name))
        self.init(
            className: className, parameters: parameters.filter { known.contains($0.key) },
            combinations: definition.combinations.map {
                INParameterTable.Combination(
                    Set($0.parameters), title: $0.title ?? definition.title ?? "",
                    subtitle: $0.subtitle)
            })
        names = definition.parameters.map(\.name)
    }

    public override var intentClassName: String { className }

    public required init() { super.init() }

    public required init?(coder: NSCoder) {
        guard let name = Archive.text("class", in: coder), let kept = Archive.parts(in: coder)
        else { return nil }
        super.init()
        className = name
        names = kept.keys.sorted()
        restore(kept, with: coder)
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        Archive.encode(text: className, "class", in: coder)
    }

    /// The value of a parameter.
    public func parameter(named name: String) -> Any? { values[name] }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        if let copy = copy as? CustomIntent {
            copy.className = className
            copy.names = names
            copy.ownCombinations = ownCombinations
        }
        return copy
    }

    override var parameters: [INParameterTable.Entry] {
        names.map { INParameterTable.Entry(stored: $0, \CustomIntent.intentClassName) }
    }

    override var combinations: [INParameterTable.Combination] { ownCombinations }
}
