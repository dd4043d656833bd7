extension IntentDefinition {
    /// The intents of a definition file, in its order.
    ///
    /// - Throws: `IntentDefinitionError` when a name is missing or repeated, when a value is of
    ///   another kind than it must be, and when a combination names a parameter that is not there.
    package static func read(
        _ value: ManifestValue
    ) throws(IntentDefinitionError) -> [IntentDefinition] {
        guard let list = value["INIntents"]?.list else {
            throw IntentDefinitionError("INIntents", "must be an array of intents")
        }
        var definitions: [IntentDefinition] = []
        for (index, intent) in list.enumerated() {
            let path = "INIntents[\(index)]"
            let definition = try IntentDefinition(intent, path)
            guard !definitions.contains(where: { $0.className == definition.className }) else {
                throw IntentDefinitionError(path, "\(definition.className) is defined twice")
            }
            definitions.append(definition)
        }
        return definitions
    }

    private init(_ value: ManifestValue, _ path: String) throws(IntentDefinitionError) {
        guard value.dictionary != nil else {
            throw IntentDefinitionError(path, "must be a dictionary, not \(value.noun)")
        }
        let name = try Self.text(value, "INIntentName", path)
        if let system = try Self.text(value, "INIntentClassName", path) {
            className = system
        } else if let name, !name.isEmpty {
            className = (try Self.text(value, "INIntentClassPrefix", path) ?? "") + name + "Intent"
        } else {
            throw IntentDefinitionError("\(path).INIntentName", "the intent has no name")
        }
        title = try Self.text(value, "INIntentTitle", path)
        description = try Self.text(value, "INIntentDescription", path)
        category = try Self.text(value, "INIntentCategory", path)
        verb = try Self.text(value, "INIntentVerb", path)
        isEligibleForSuggestions =
            !(try Self.flag(value, "INIntentIneligibleForSuggestions", path) ?? false)
        parameters = try Self.parameters(value, path)
        combinations = try Self.combinations(value, path, Set(parameters.map { $0.name }))
        responseCodes = try Self.responseCodes(value, path)
    }

    private static func parameters(
        _ value: ManifestValue, _ path: String
    ) throws(IntentDefinitionError) -> [Parameter] {
        var parameters: [Parameter] = []
        for (index, element) in try list(value, "INIntentParameters", path).enumerated() {
            let place = "\(path).INIntentParameters[\(index)]"
            guard let name = try text(element, "INIntentParameterName", place), !name.isEmpty
            else { throw IntentDefinitionError(place, "the parameter has no name") }
            guard !parameters.contains(where: { $0.name == name }) else {
                throw IntentDefinitionError(place, "the parameter \(name) is defined twice")
            }
            guard let type = try text(element, "INIntentParameterType", place) else {
                throw IntentDefinitionError(place, "the parameter \(name) has no type")
            }
            let object = try text(element, "INIntentParameterObjectType", place)
            let choice = try text(element, "INIntentParameterEnumType", place)
            parameters.append(
                Parameter(
                    name: name,
                    displayName: try text(element, "INIntentParameterDisplayName", place),
                    type: type, typeName: object ?? choice,
                    isList: try flag(
                        element, "INIntentParameterSupportsMultipleValues", place) ?? false))
        }
        return parameters
    }

    private static func combinations(
        _ value: ManifestValue, _ path: String, _ names: Set<String>
    ) throws(IntentDefinitionError) -> [Combination] {
        let key = "INIntentParameterCombinations"
        guard let member = value[key] else { return [] }
        guard let all = member.dictionary else {
            throw IntentDefinitionError(
                "\(path).\(key)", "must be a dictionary, not \(member.noun)")
        }
        var combinations: [Combination] = []
        for (joined, element) in all.sorted(by: { $0.key < $1.key }) {
            let place = "\(path).\(key)[\"\(joined)\"]"
            let parameters = joined.split(separator: ",").map { String($0) }
            for parameter in parameters where !names.contains(parameter) {
                throw IntentDefinitionError(place, "there is no parameter \(parameter)")
            }
            let background = "INIntentParameterCombinationSupportsBackgroundExecution"
            combinations.append(
                Combination(
                    parameters: parameters,
                    title: try text(element, "INIntentParameterCombinationTitle", place),
                    subtitle: try text(element, "INIntentParameterCombinationSubtitle", place),
                    isPrimary: try flag(
                        element, "INIntentParameterCombinationIsPrimary", place) ?? false,
                    supportsBackgroundExecution: try flag(element, background, place) ?? false))
        }
        return combinations.sorted { left, right in
            left.parameters.count != right.parameters.count
                ? left.parameters.count > right.parameters.count
                : left.parameters.lexicographicallyPrecedes(right.parameters)
        }
    }

    private static func responseCodes(
        _ value: ManifestValue, _ path: String
    ) throws(IntentDefinitionError) -> [String] {
        guard let response = value["INIntentResponse"] else { return [] }
        let place = "\(path).INIntentResponse"
        var codes: [String] = []
        for element in try list(response, "INIntentResponseCodes", place) {
            guard let name = try text(element, "INIntentResponseCodeName", place) else {
                throw IntentDefinitionError(place, "a response code has no name")
            }
            codes.append(name)
        }
        return codes
    }

    private static func text(
        _ value: ManifestValue, _ key: String, _ path: String
    ) throws(IntentDefinitionError) -> String? {
        guard let member = value[key] else { return nil }
        guard let text = member.text else {
            throw IntentDefinitionError("\(path).\(key)", "must be a string, not \(member.noun)")
        }
        return text
    }

    private static func flag(
        _ value: ManifestValue, _ key: String, _ path: String
    ) throws(IntentDefinitionError) -> Bool? {
        guard let member = value[key] else { return nil }
        guard let flag = member.flag else {
            throw IntentDefinitionError(
                "\(path).\(key)", "must be true or false, not \(member.noun)")
        }
        return flag
    }

    private static func list(
        _ value: ManifestValue, _ key: String, _ path: String
    ) throws(IntentDefinitionError) -> [ManifestValue] {
        guard let member = value[key] else { return [] }
        guard let list = member.list else {
            throw IntentDefinitionError("\(path).\(key)", "must be an array, not \(member.noun)")
        }
        return list
    }
}
