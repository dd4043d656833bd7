/// One intent of an `.intentdefinition` file: what Siri can take apart.
///
/// - SeeAlso: <https://developer.apple.com/documentation/sirikit/adding-user-interactivity-with-siri-shortcuts-and-the-shortcuts-app>
package struct IntentDefinition: Sendable, Hashable {
    /// One parameter.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let displayName: String?
        /// `String`, `Integer`, `Person`, `Object` and so on, as the file says it.
        package let type: String
        /// The custom type of an `Object`, or the enumeration's name.
        package let typeName: String?
        package let isList: Bool
    }

    /// Parameters that make a shortcut together.
    package struct Combination: Sendable, Hashable {
        /// In the order of the title's key.
        package let parameters: [String]
        /// With places such as `${soup}`.
        package let title: String?
        package let subtitle: String?
        package let isPrimary: Bool
        package let supportsBackgroundExecution: Bool
    }

    /// `OrderSoupIntent`, or the system's class that the file customises.
    package let className: String
    package let title: String?
    package let description: String?
    /// `order`, `generic` and so on.
    package let category: String?
    package let verb: String?
    package let isEligibleForSuggestions: Bool
    package let parameters: [Parameter]
    /// The most specific first, then by name.
    package let combinations: [Combination]
    /// `success`, `failureOutOfStock` and so on, in the order of the file.
    package let responseCodes: [String]

    /// The combinations as the ranker wants them.
    package var parameterCombinations: [Set<String>] {
        combinations.map { Set($0.parameters) }
    }

    /// A combination's title with values in its places; a place without a value is left empty.
    package static func fill(_ title: String, with values: [String: String]) -> String {
        var filled = ""
        var rest = Substring(title)
        while let start = rest.firstRange(of: "${") {
            filled += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                return filled + rest[start.lowerBound...]
            }
            filled += values[String(rest[start.upperBound..<end])] ?? ""
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}

/// Why a file is no intent definition.
package struct IntentDefinitionError: Error, Sendable, Hashable {
    /// Where in the file, such as `INIntents[0].INIntentParameters[2]`.
    package let path: String
    package let reason: String

    package init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }
}
