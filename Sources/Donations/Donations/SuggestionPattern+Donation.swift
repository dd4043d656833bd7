extension Donation {
    /// How many patterns of one donation are looked at: the first of those that specialise no
    /// other, and the first of the rest.
    package static let generalPatternsMax = 2
    package static let specificPatternsMax = 2

    /// The key of an interaction: what its intent's parameters are, and which of them make a
    /// shortcut together. It belongs into ``predictionKey``.
    package static func predictionKey(
        parameters: [String: PayloadValue], combinations: [Set<String>]
    ) -> [UInt8] {
        let lists = combinations.map { combination in
            PayloadValue.array(combination.sorted().map { .string($0) })
        }
        return PayloadValue.dictionary([
            "combinations": .set(lists), "parameters": .dictionary(parameters),
        ]).encoded
    }

    /// What this donation may be a repetition of; empty when it is never suggested.
    ///
    /// An activity that is not eligible for prediction is none, and neither is what no surface
    /// could run again: a saved activity, an item.
    package var suggestionPatterns: [SuggestionPattern] {
        switch kind {
        case .activity:
            guard eligibility.contains(.prediction) else { return [] }
            return [
                SuggestionPattern(
                    family: "activity \(type)", values: [.init("", predictionKey ?? [])])
            ]
        case .interaction: return interactionPatterns
        default: return []
        }
    }

    private var interactionPatterns: [SuggestionPattern] {
        let family = "intent \(type)"
        guard let predictionKey else { return [SuggestionPattern(family: family, values: [])] }
        guard let key = try? PayloadValue(decoding: predictionKey),
            case .dictionary(let parameters)? = key["parameters"],
            case .set(let lists)? = key["combinations"]
        else { return [SuggestionPattern(family: family, values: [.init("", predictionKey)])] }
        let values = parameters.compactMap { pair -> SuggestionPattern.Value? in
            guard case .string(let name) = pair.key else { return nil }
            return SuggestionPattern.Value(name, pair.value.encoded)
        }
        let combinations = lists.map { list -> Set<String> in
            guard case .array(let names) = list else { return [] }
            return Set(
                names.compactMap { if case .string(let name) = $0 { name } else { nil } })
        }
        return SuggestionPattern.split(
            family: family, values: values, combinations: combinations)
    }

    /// The patterns in two parts: those that specialise none of the others, and the rest. No
    /// pattern is repeated more often than one of the first part that it specialises.
    package var suggestionMarks: (general: [SuggestionPattern], specific: [SuggestionPattern]) {
        let patterns = suggestionPatterns.sorted {
            ($0.specificity, $0) < ($1.specificity, $1)
        }
        let general = patterns.filter { pattern in
            !patterns.contains { pattern.specialises($0) }
        }.prefix(Self.generalPatternsMax)
        let specific = patterns.filter { pattern in
            general.contains { pattern.specialises($0) }
        }
        // The most specific come first where not all have room.
        return (Array(general), Array(specific.reversed().prefix(Self.specificPatternsMax)))
    }
}
