/// The part of a donation that no rule looks at, as bytes.
extension Donation {
    /// Everything that no rule looks at, in canonical bytes; empty when there is nothing.
    package var body: [UInt8] {
        var pairs: [String: PayloadValue] = [:]
        func put(_ name: String, _ text: String?) {
            if let text { pairs[name] = .string(text) }
        }
        put("weak", weakRelatedIdentifier)
        put("protection", protectionClass)
        put("phrase", suggestedInvocationPhrase)
        put("url", webpageURL)
        put("target", targetContentIdentifier)
        if !keywords.isEmpty { pairs["keywords"] = .array(keywords.map { .string($0) }) }
        if !mentions.isEmpty { pairs["mentions"] = .array(mentions.map { .string($0) }) }
        if !numbers.isEmpty { pairs["numbers"] = .dictionary(numbers.mapValues { .integer($0) }) }
        if !payload.isEmpty { pairs["payload"] = .data(payload) }
        if let nested = nestedActivity {
            pairs["nested"] = .array([
                .string(nested.activityType), .data(nested.payload),
                nested.persistentIdentifier.map { .string($0) } ?? .null,
            ])
        }
        if !images.isEmpty {
            pairs["images"] = .array(
                images.flatMap { image -> [PayloadValue] in
                    [.string(image.parameter), .string(image.file ?? "")]
                })
        }
        return pairs.isEmpty ? [] : PayloadValue.dictionary(pairs).encoded
    }

    /// Takes what ``body`` gave; anything else changes nothing.
    package mutating func setBody(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let body = try? PayloadValue(decoding: bytes),
            case .dictionary(let pairs) = body
        else { return }
        for pair in pairs {
            switch (pair.key.text, pair.value) {
            case ("weak", .string(let text)): weakRelatedIdentifier = text
            case ("protection", .string(let text)): protectionClass = text
            case ("phrase", .string(let text)): suggestedInvocationPhrase = text
            case ("url", .string(let text)): webpageURL = text
            case ("target", .string(let text)): targetContentIdentifier = text
            case ("keywords", let value): keywords = value.texts ?? []
            case ("mentions", let value): mentions = value.texts ?? []
            case ("numbers", .dictionary(let all)):
                for (key, value) in all { numbers[key.text ?? ""] = value.number }
            case ("payload", .data(let data)): payload = data
            case ("nested", .array(let parts)): setNested(parts)
            case ("images", let value): setImages(value.texts ?? [])
            default: break
            }
        }
    }

    private mutating func setNested(_ parts: [PayloadValue]) {
        guard parts.count == 3, case .data(let payload) = parts[1] else { return }
        nestedActivity = NestedActivity(
            activityType: parts[0].text ?? "", persistentIdentifier: parts[2].text,
            payload: payload)
    }

    private mutating func setImages(_ texts: [String]) {
        images = stride(from: 0, to: texts.count - 1, by: 2).map {
            Image(parameter: texts[$0], bytes: [], file: texts[$0 + 1])
        }
    }
}
