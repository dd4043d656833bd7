import Donations

extension Donation {
    /// Canonical bytes of what a record has no field of its own for. Images stay on the device that
    /// made them: their bytes are not synced.
    var exchangePayload: [UInt8] {
        var plain = self
        plain.images = []
        plain.suggestedInvocationPhrase = nil
        var pairs: [String: PayloadValue] = ["eligibility": .integer(Int64(eligibility.rawValue))]
        let texts = [
            ("domain", domain), ("index", indexName), ("entityType", entityType),
            ("entity", entityIdentifier), ("name", displayName), ("description", description),
            ("action", actionID),
        ]
        for (name, text) in texts { pairs[name] = text.map { .string($0) } }
        pairs["prediction"] = predictionKey.map { .data($0) }
        let body = plain.body
        if !body.isEmpty { pairs["body"] = .data(body) }
        if let link {
            pairs["link"] = .array(
                [link.container, link.scope, link.zone, link.zoneOwner, link.record].map { text in
                    text.map { .string($0) } ?? .null
                })
        }
        return PayloadValue.dictionary(pairs).encoded
    }

    /// Takes what ``exchangePayload`` gave; false for anything else.
    mutating func setExchangePayload(_ bytes: [UInt8]) -> Bool {
        guard let value = try? PayloadValue(decoding: bytes), let pairs = value.namedValues,
            let flags = pairs["eligibility"]?.number
        else { return false }
        eligibility = Eligibility(rawValue: Int(truncatingIfNeeded: flags & 15))
        domain = pairs["domain"]?.text?.orNil
        indexName = pairs["index"]?.text?.orNil
        entityType = pairs["entityType"]?.text?.orNil
        entityIdentifier = pairs["entity"]?.text?.orNil
        displayName = pairs["name"]?.text
        description = pairs["description"]?.text
        actionID = pairs["action"]?.text
        if case .data(let key)? = pairs["prediction"] { predictionKey = key }
        if case .data(let body)? = pairs["body"] { setBody(body) }
        images = []
        guard let parts = pairs["link"] else { return true }
        guard case .array(let parts) = parts, parts.count == 5, let container = parts[0].text else {
            return false
        }
        link = ContentLink(
            container: container, scope: parts[1].text, zone: parts[2].text,
            zoneOwner: parts[3].text, record: parts[4].text)
        return true
    }

    /// Whether both tell the same, whatever number, images and key of a saved activity they have.
    func tellsSame(as other: Donation) -> Bool {
        func bare(_ row: Donation) -> Donation {
            var row = row
            row.row = 0
            row.images = []
            row.savedKey = nil
            return row
        }
        return bare(self) == bare(other) && exchangePayload == other.exchangePayload
    }

    /// Whether this event is to be kept rather than another one of the same name: the later one;
    /// at the same moment that of the device whose name is greater. Every device decides alike.
    /// Of one device's own it is this one.
    func isLater(than other: Donation, by device: String, _ otherDevice: String) -> Bool {
        let own = (donatedAt.milliseconds, begin.milliseconds, device)
        return own >= (other.donatedAt.milliseconds, other.begin.milliseconds, otherDevice)
    }
}
