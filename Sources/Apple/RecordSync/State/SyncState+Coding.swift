import CloudModel

/// The form in which a state is kept: a version, then keys that all may be missing.
///
/// Keys are added without another version: who reads skips those it does not know. A version is
/// for forms that an older reader would misunderstand; it refuses them.
extension SyncState: Codable {
    private static let version = 1

    private enum Key: String, CodingKey {
        case version, user, hadUser, token, isListedWhole, zones, records, zoneChanges, untracked
    }

    /// A zone as it is kept.
    private struct Zone: Codable {
        var id: String
        var token: String?
        var news: Bool?
        var whole: Bool?
        var doubted: Bool?
        var known: String?
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .version)
        try container.encodeIfPresent(user, forKey: .user)
        if hadUser { try container.encode(true, forKey: .hadUser) }
        try container.encodeIfPresent(token?.rawValue, forKey: .token)
        if isListedWhole { try container.encode(true, forKey: .isListedWhole) }
        let zones = zones.map { id, zone in
            Zone(
                id: id.qualifiedName, token: zone.token?.rawValue, news: zone.hasNews ? true : nil,
                whole: zone.isReadWhole ? true : nil, doubted: zone.isDoubted ? true : nil,
                known: zone.known.count > 0 ? zone.known.text : nil)
        }
        try container.encode(zones, forKey: .zones)
        let pending = records.changes(withBack: recordsInFlight)
        try container.encode(pending.map(Self.text), forKey: .records)
        let pendingZones = zoneChanges.changes(withBack: zonesInFlight)
        try container.encode(pendingZones.map(Self.text), forKey: .zoneChanges)
        if hasUntracked { try container.encode(true, forKey: .untracked) }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func fault(_ key: Key, _ what: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: what)
        }
        let version = try container.decodeIfPresent(Int.self, forKey: .version) ?? Self.version
        guard version <= Self.version else {
            throw fault(
                .version,
                "the state has the form \(version); this library reads up to "
                    + "\(Self.version): begin with no state")
        }
        self.init()
        user = try container.decodeIfPresent(String.self, forKey: .user)
        hadUser = try container.decodeIfPresent(Bool.self, forKey: .hadUser) ?? (user != nil)
        token = try container.decodeIfPresent(String.self, forKey: .token).map(ChangeToken.init)
        isListedWhole = try container.decodeIfPresent(Bool.self, forKey: .isListedWhole) ?? false
        for kept in try container.decodeIfPresent([Zone].self, forKey: .zones) ?? [] {
            var zone = ZoneState()
            zone.token = kept.token.map(ChangeToken.init)
            zone.hasNews = kept.news ?? false
            zone.isReadWhole = kept.whole ?? false
            zone.isDoubted = kept.doubted ?? false
            if let text = kept.known {
                guard let known = KnownRecords(text: text) else {
                    throw fault(.zones, "the known records of a zone cannot be read")
                }
                zone.known = known
            }
            zones[RecordZone.ID(qualifiedName: kept.id)] = zone
        }
        for text in try container.decodeIfPresent([String].self, forKey: .records) ?? [] {
            guard let change = Self.recordChange(text) else {
                throw fault(.records, "a pending change of a record cannot be read")
            }
            records.add(change)
        }
        for text in try container.decodeIfPresent([String].self, forKey: .zoneChanges) ?? [] {
            guard let change = Self.zoneChange(text) else {
                throw fault(.zoneChanges, "a pending change of a zone cannot be read")
            }
            zoneChanges.add(change)
        }
        hasUntracked = try container.decodeIfPresent(Bool.self, forKey: .untracked) ?? false
    }

    // MARK: Changes, as texts: `+` or `-`, then the name; of a record, its zone in the next lines

    private static func text(_ change: PendingRecordChange) -> String {
        let sign = if case .save = change { "+" } else { "-" }
        return "\(sign)\(change.id.recordName)\n\(change.id.zoneID.qualifiedName)"
    }

    private static func text(_ change: PendingZoneChange) -> String {
        switch change {
        case .save(let id): "+\(id.qualifiedName)"
        case .delete(let id): "-\(id.qualifiedName)"
        }
    }

    private static func recordChange(_ text: String) -> PendingRecordChange? {
        let parts = text.dropFirst().split(separator: "\n", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let id = Record.ID(
            String(parts[0]), zoneID: RecordZone.ID(qualifiedName: String(parts[1])))
        return switch text.first {
        case "+": .save(id)
        case "-": .delete(id)
        default: nil
        }
    }

    private static func zoneChange(_ text: String) -> PendingZoneChange? {
        let id = RecordZone.ID(qualifiedName: String(text.dropFirst()))
        guard !id.zoneName.isEmpty else { return nil }
        return switch text.first {
        case "+": .save(id)
        case "-": .delete(id)
        default: nil
        }
    }
}
