import CloudModel
import DonationSync
import Donations

/// What is known of the donation zone, as one value in the file.
extension ExchangeFacts {
    /// The canonical bytes.
    var stored: [UInt8] {
        var pairs: [String: PayloadValue] = [
            "isOn": .bool(isOn), "includesItems": .bool(includesItems),
            "sequence": .integer(sequence), "round": .integer(round),
            "context": .string(context.lines), "base": .string(base.lines),
            "confirmed": .string(confirmed.lines), "isRegistered": .bool(isRegistered),
            "generation": .integer(generation), "isScanning": .bool(isScanning),
            "repeats": .integer(repeats), "checkedGeneration": .integer(checkedGeneration),
            "devices": .array(devices.map(\.stored)),
        ]
        pairs["device"] = device.map { .string($0) }
        pairs["origin"] = origin.map { .string($0) }
        pairs["incarnation"] = incarnation.map { .string($0) }
        pairs["zoneKey"] = zoneKey.map { .data($0) }
        pairs["zoneTag"] = zoneTag.map { .string($0) }
        pairs["token"] = token.map { .string($0.rawValue) }
        pairs["serverTime"] = serverTime.map { .integer($0.milliseconds) }
        return PayloadValue.dictionary(pairs).encoded
    }

    /// The facts of these bytes; nil when they are damaged.
    init?(stored bytes: [UInt8]) {
        guard let pairs = try? PayloadValue(decoding: bytes), case .dictionary = pairs else {
            return nil
        }
        self.init()
        isOn = pairs["isOn"]?.flag ?? false
        includesItems = pairs["includesItems"]?.flag ?? false
        device = pairs["device"]?.text
        origin = pairs["origin"]?.text
        sequence = pairs["sequence"]?.number ?? 0
        round = pairs["round"]?.number ?? 0
        incarnation = pairs["incarnation"]?.text
        if case .data(let key)? = pairs["zoneKey"] { zoneKey = key }
        context = DeletionContext(lines: pairs["context"]?.text ?? "")
        base = DeletionContext(lines: pairs["base"]?.text ?? "")
        confirmed = DeletionContext(lines: pairs["confirmed"]?.text ?? "")
        isRegistered = pairs["isRegistered"]?.flag ?? false
        zoneTag = pairs["zoneTag"]?.text
        token = pairs["token"]?.text.map { ChangeToken($0) }
        generation = pairs["generation"]?.number ?? 1
        isScanning = pairs["isScanning"]?.flag ?? true
        repeats = pairs["repeats"]?.number ?? 0
        if case .array(let all)? = pairs["devices"] {
            devices = all.compactMap { SyncDevice(stored: $0) }
        }
        serverTime = pairs["serverTime"]?.number.map { Timestamp(milliseconds: $0) }
        checkedGeneration = pairs["checkedGeneration"]?.number ?? 0
    }
}

extension SyncDevice {
    fileprivate var stored: PayloadValue {
        .array([
            .string(name), .string(context.lines), .integer(round), .string(tag),
            .integer(seenAt.milliseconds),
        ])
    }

    fileprivate init?(stored value: PayloadValue) {
        guard case .array(let parts) = value, parts.count == 5, let name = parts[0].text else {
            return nil
        }
        self.init(
            name: name, context: DeletionContext(lines: parts[1].text ?? ""),
            round: parts[2].number ?? 0, tag: parts[3].text ?? "",
            seenAt: Timestamp(milliseconds: parts[4].number ?? 0))
    }
}

extension PayloadValue {
    fileprivate var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}

extension DeletionContext {
    /// A device and its number a line.
    var lines: String {
        sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    }

    /// The context written as ``lines``; lines that are none are left out.
    init(lines: String) {
        self = [:]
        for line in lines.split(separator: "\n") {
            guard let space = line.lastIndex(of: " "),
                let number = Int64(line[line.index(after: space)...])
            else { continue }
            self[String(line[..<space])] = number
        }
    }
}
