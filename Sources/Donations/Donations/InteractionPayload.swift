/// What an interaction's row keeps of its intent and response, in ``Donation/payload``.
package struct InteractionPayload: Sendable, Hashable {
    /// The intent's parameters that have a value.
    package var parameters: [String: PayloadValue]
    /// The combinations of parameters that the intent declares.
    package var combinations: [Set<String>]
    /// The response's values, its code among them; nil: there was no response.
    package var response: [String: PayloadValue]?
    /// Images that are named or linked to, by parameter; images with bytes have files.
    package var images: [String: PayloadValue]
    /// What else is known of the donation, such as how many people it was sent to.
    package var metadata: [String: PayloadValue]

    /// An intent with these parameters, and nothing else.
    package init(
        parameters: [String: PayloadValue], combinations: [Set<String>] = [],
        response: [String: PayloadValue]? = nil, images: [String: PayloadValue] = [:],
        metadata: [String: PayloadValue] = [:]
    ) {
        self.parameters = parameters
        self.combinations = combinations
        self.response = response
        self.images = images
        self.metadata = metadata
    }

    /// Reads a row's payload; nil when it is none of an interaction.
    package init?(decoding bytes: [UInt8]) {
        guard let value = try? PayloadValue(decoding: bytes),
            let parameters = value["parameters"]?.namedValues
        else { return nil }
        self.init(parameters: parameters)
        response = value["response"]?.namedValues
        images = value["images"]?.namedValues ?? [:]
        metadata = value["metadata"]?.namedValues ?? [:]
        if case .array(let sets)? = value["combinations"] {
            combinations = sets.map { Set($0.strings) }
        }
    }

    /// The bytes of a row's payload.
    package var encoded: [UInt8] {
        var parts: [String: PayloadValue] = ["parameters": .dictionary(parameters)]
        parts["response"] = response.map { .dictionary($0) }
        parts["images"] = images.isEmpty ? nil : .dictionary(images)
        parts["metadata"] = metadata.isEmpty ? nil : .dictionary(metadata)
        if !combinations.isEmpty {
            parts["combinations"] = .array(
                combinations.map { names in .array(names.sorted().map { .string($0) }) })
        }
        return PayloadValue.dictionary(parts).encoded
    }
}

extension PayloadValue {
    /// The entries of a dictionary whose keys are all texts; nil for anything else.
    package var namedValues: [String: PayloadValue]? {
        guard case .dictionary(let pairs) = self else { return nil }
        var named: [String: PayloadValue] = [:]
        for pair in pairs {
            guard case .string(let name) = pair.key else { return nil }
            named[name] = pair.value
        }
        return named
    }
}
