import CloudModel
import CloudWire

/// What the names of records and zones may be.
enum ItemName {
    static let unitsMax = ReplyCheck.nameUnitsMax

    /// Whether a record or zone could have this name under any setting, those that the service gives
    /// included: 1 to 255 UTF-16 units without control characters.
    static func isPossible(_ name: String) -> Bool {
        (1...unitsMax).contains(name.utf16.count)
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension MockOptions {
    /// Whether a new record or zone may have this name.
    ///
    /// - Parameter mayBeSystem: Whether it may begin as those that the service gives.
    func allows(name: String, mayBeSystem: Bool = false) -> Bool {
        ItemName.isPossible(name) && (mayBeSystem || !name.hasPrefix("_"))
            && (!asciiNames || name.utf8.allSatisfy { $0 < 0x80 })
    }

    /// Refuses what cannot be a record's name.
    ///
    /// - Parameter mayBeSystem: Whether it may begin as those that the service gives.
    func check(recordName name: String, mayBeSystem: Bool) throws(CloudError) {
        guard allows(name: name, mayBeSystem: mayBeSystem) else {
            throw CloudError(.badRequest, reason: "a record name is \(nameRule)", rule: 34)
        }
    }

    /// Refuses what cannot be a zone's name.
    func check(zoneName name: String) throws(CloudError) {
        guard allows(name: name) else {
            throw CloudError(.badRequest, reason: "a zone name is \(nameRule)", rule: 20)
        }
    }

    private var nameRule: String {
        let unit = asciiNames ? "ASCII characters" : "UTF-16 units"
        return "1 to \(ItemName.unitsMax) \(unit) and does not begin with _"
    }
}
