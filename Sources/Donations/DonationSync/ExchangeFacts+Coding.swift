import Basics
import CloudModel
import Donations

extension ExchangeFacts {
    private typealias Path<Value> = any WritableKeyPath<ExchangeFacts, Value> & Sendable

    private static let flags: [(String, Path<Bool>)] = [
        ("on", \.isOn), ("items", \.includesItems), ("registered", \.isRegistered),
        ("scanning", \.isScanning),
    ]
    private static let numbers: [(String, Path<Int64>)] = [
        ("sequence", \.sequence), ("round", \.round), ("generation", \.generation),
        ("checked", \.checkedGeneration),
    ]
    private static let contexts: [(String, Path<DeletionContext>)] = [
        ("context", \.context), ("base", \.base), ("confirmed", \.confirmed),
    ]
    private static let texts: [(String, Path<String?>)] = [
        ("device", \.device), ("origin", \.origin), ("incarnation", \.incarnation),
        ("zoneTag", \.zoneTag),
    ]

    /// The canonical bytes, to store.
    package var encoded: [UInt8] {
        var pairs = ["devices": PayloadValue.array(devices.map(\.payload))]
        for (name, path) in Self.flags { pairs[name] = .bool(self[keyPath: path]) }
        for (name, path) in Self.numbers { pairs[name] = .integer(self[keyPath: path]) }
        for (name, path) in Self.contexts { pairs[name] = self[keyPath: path].payload }
        for (name, path) in Self.texts { pairs[name] = self[keyPath: path].map { .string($0) } }
        if zoneLacksBase { pairs["lacksBase"] = .bool(true) }
        pairs["key"] = zoneKey.map { .data($0) }
        pairs["token"] = token.map { .string($0.rawValue) }
        pairs["server"] = serverTime.map { .integer($0.milliseconds) }
        return PayloadValue.dictionary(pairs).encoded
    }

    /// Reads what ``encoded`` gave; nil for anything else.
    package init?(decoding bytes: [UInt8]) {
        guard let value = try? PayloadValue(decoding: bytes), let pairs = value.namedValues,
            case .array(let devices)? = pairs["devices"]
        else { return nil }
        for (name, path) in Self.flags {
            guard case .bool(let flag)? = pairs[name] else { return nil }
            self[keyPath: path] = flag
        }
        for (name, path) in Self.contexts {
            guard let context = DeletionContext(pairs[name]) else { return nil }
            self[keyPath: path] = context
        }
        for device in devices {
            guard let device = SyncDevice(device) else { return nil }
            self.devices.append(device)
        }
        for (name, path) in Self.numbers {
            if let number = pairs[name]?.number { self[keyPath: path] = number }
        }
        for (name, path) in Self.texts { self[keyPath: path] = pairs[name]?.text }
        zoneLacksBase = pairs["lacksBase"] == .bool(true)
        if case .data(let key)? = pairs["key"] { zoneKey = key }
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
