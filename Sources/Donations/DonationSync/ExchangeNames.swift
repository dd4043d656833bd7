/// The names of the zone's records.
enum ExchangeNames {
    static let zone = "zone"
    /// Far more deletions than a device can make; keeps arithmetic away from its limits.
    static let sequenceMax: Int64 = 1 << 52

    static func device(_ name: String) -> String { "v-" + name }

    static func deletion(_ device: String, _ sequence: Int64) -> String {
        "x-\(device)-\(sequence)"
    }

    /// Whether a device can be called so.
    static func isDevice(_ name: some StringProtocol) -> Bool { name.isHexadecimalName }

    /// Whether a record name can be a row's.
    static func isRow(_ name: String) -> Bool {
        name.utf8.count == 66 && name.hasPrefix("d-") && isDevice(name.dropFirst(2))
    }

    /// The device that a record name stands for; nil: it is of another kind.
    static func device(named name: String) -> String? {
        guard name.hasPrefix("v-") else { return nil }
        let device = String(name.dropFirst(2))
        return isDevice(device) ? device : nil
    }

    /// The deletion that a record name stands for; nil: it is of another kind.
    static func deletion(named name: String) -> (device: String, sequence: Int64)? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "x", isDevice(parts[1]),
            let sequence = Int64(parts[2]), (1...sequenceMax).contains(sequence),
            String(sequence) == parts[2]
        else { return nil }
        return (String(parts[1]), sequence)
    }
}
