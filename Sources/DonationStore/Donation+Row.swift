import CloudModel
import Donations
import SQLite

/// A donation as a row of its kind's table: the columns of ``StoreSchema/columns``, in that order.
extension Donation {
    /// Sets the parameters from `start` on.
    func bind(to statement: Statement, from start: Int) {
        var index = start
        func add(_ text: String?) {
            statement.bind(index, text)
            index += 1
        }
        func add(_ number: Int64?) {
            statement.bind(index, number)
            index += 1
        }
        for text in [
            identifier, group, persistentIdentifier, savedKey, relatedIdentifier, domain,
            indexName, type,
        ] { add(text) }
        add(isFromSiri ? 1 : 0)
        add(Int64(eligibility.rawValue))
        add(isExotic ? 1 : 0)
        for time in [begin, end, donatedAt, expiration] { add(time?.milliseconds) }
        add(entityType)
        add(entityIdentifier)
        add(nestedActivity == nil ? 0 : 1)
        add(nestedActivity?.persistentIdentifier)
        statement.bind(index, predictionKey)
        index += 1
        for text in [
            actionID, link?.container, link?.scope, link?.zone, link?.zoneOwner, link?.record,
            title, displayName, keywords.isEmpty ? nil : keywords.joined(separator: "\n"),
            description,
        ] { add(text) }
        statement.bind(index, body)
        index += 1
        add(min(max(numbers["rankingHint"] ?? 0, 0), 100))
    }

    /// Whether one of its names has letters that another spelling can stand for.
    private var isExotic: Bool {
        [identifier, group, persistentIdentifier, relatedIdentifier, domain].contains { name in
            name.map { !$0.utf8.allSatisfy { $0 < 0x80 } } ?? false
        }
    }

    /// The row that a statement stands on; `id` is its first column, then follow the others.
    init(_ kind: DonationKind, at statement: Statement) {
        func text(_ column: Int) -> String? { statement.optionalText(at: column) }
        func time(_ column: Int) -> Timestamp {
            Timestamp(milliseconds: statement.int64(at: column))
        }
        self.init(kind, identifier: statement.text(at: 1), type: "", at: time(12))
        row = statement.int64(at: 0)
        group = text(2)
        persistentIdentifier = text(3)
        savedKey = text(4)
        relatedIdentifier = text(5)
        domain = text(6)
        indexName = text(7)
        type = statement.text(at: 8)
        isFromSiri = statement.bool(at: 9)
        eligibility = Eligibility(rawValue: statement.int(at: 10))
        end = time(13)
        donatedAt = time(14)
        expiration = statement.optionalInt64(at: 15).map { Timestamp(milliseconds: $0) }
        entityType = text(16)
        entityIdentifier = text(17)
        predictionKey = statement.optionalBytes(at: 20)
        actionID = text(21)
        link = text(22).map { container in
            ContentLink(
                container: container, scope: text(23), zone: text(24), zoneOwner: text(25),
                record: text(26))
        }
        title = text(27)
        displayName = text(28)
        description = text(30)
        setBody(statement.bytes(at: 31))
    }

    // MARK: The part that no rule looks at

    /// Everything without a column of its own.
    var body: [UInt8] {
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

    private mutating func setBody(_ bytes: [UInt8]) {
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
