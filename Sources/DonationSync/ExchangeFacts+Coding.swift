import CloudModel
import Donations

extension ExchangeFacts {
    /// The canonical bytes, to store.
    package var encoded: [UInt8] {
        var pairs: [String: PayloadValue] = [
            "on": .bool(isOn), "items": .bool(includesItems), "sequence": .integer(sequence),
            "round": .integer(round), "context": context.payload, "base": base.payload,
            "confirmed": confirmed.payload, "registered": .bool(isRegistered),
            "generation": .integer(generation), "scanning": .bool(isScanning),
            "repeats": .integer(repeats), "checked": .integer(checkedGeneration),
            "devices": .array(devices.map(\.payload)),
        ]
        if zoneLacksBase { pairs["lacksBase"] = .bool(true) }
        pairs["device"] = device.map { .string($0) }
        pairs["origin"] = origin.map { .string($0) }
        pairs["incarnation"] = incarnation.map { .string($0) }
        pairs["key"] = zoneKey.map { .data($0) }
        pairs["zoneTag"] = zoneTag.map { .string($0) }
        pairs["token"] = token.map { .string($0.rawValue) }
        pairs["server"] = serverTime.map { .integer($0.milliseconds) }
        return PayloadValue.dictionary(pairs).encoded
    }

    /// Reads what ``encoded`` gave; nil for anything else.
    package init?(decoding bytes: [UInt8]) {
        guard let value = try? PayloadValue(decoding: bytes),
            let pairs = value.namedValues,
            case .bool(let isOn)? = pairs["on"], case .bool(let items)? = pairs["items"],
            case .bool(let registered)? = pairs["registered"],
            case .bool(let scanning)? = pairs["scanning"],
            let context = DeletionContext(pairs["context"]),
            let base = DeletionContext(pairs["base"]),
            let confirmed = DeletionContext(pairs["confirmed"]),
            case .array(let devices)? = pairs["devices"]
        else { return nil }
        self.isOn = isOn
        includesItems = items
        isRegistered = registered
        isScanning = scanning
        self.context = context
        self.base = base
        self.confirmed = confirmed
        for device in devices {
            guard let device = SyncDevice(device) else { return nil }
            self.devices.append(device)
        }
        zoneLacksBase = pairs["lacksBase"] == .bool(true)
        sequence = pairs["sequence"]?.number ?? 0
        round = pairs["round"]?.number ?? 0
        generation = pairs["generation"]?.number ?? 1
        repeats = pairs["repeats"]?.number ?? 0
        checkedGeneration = pairs["checked"]?.number ?? 0
        device = pairs["device"]?.text
        origin = pairs["origin"]?.text
        incarnation = pairs["incarnation"]?.text
        if case .data(let key)? = pairs["key"] { zoneKey = key }
        zoneTag = pairs["zoneTag"]?.text
        token = pairs["token"]?.text.map { ChangeToken($0) }
        serverTime = pairs["server"]?.number.map { Timestamp(milliseconds: $0) }
    }
}

extension SyncDevice {
    fileprivate var payload: PayloadValue {
        .array([
            .string(name), context.payload, .integer(round), .string(tag),
            .integer(seenAt.milliseconds),
        ])
    }

    fileprivate init?(_ value: PayloadValue) {
        guard case .array(let parts) = value, parts.count == 5, let name = parts[0].text,
            let context = DeletionContext(parts[1]), let round = parts[2].number,
            let tag = parts[3].text, let time = parts[4].number
        else { return nil }
        self.init(
            name: name, context: context, round: round, tag: tag,
            seenAt: Timestamp(milliseconds: time))
    }
}
