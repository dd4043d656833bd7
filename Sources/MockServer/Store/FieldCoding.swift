import CloudModel

/// Field values in the store's row format.
extension ByteWriter {
    private static let listFlag: UInt8 = 0x80

    mutating func value(_ value: FieldValue) {
        if case .list(let kind, let elements) = value {
            byte(Self.code(of: kind) | Self.listFlag)
            list(elements) { $0.scalar($1) }
        } else {
            byte(Self.code(of: value.kind))
            scalar(value)
        }
    }

    private mutating func scalar(_ value: FieldValue) {
        switch value {
        case .string(let text): string(text)
        case .int64(let number): signed(number)
        case .double(let number): double(number)
        case .bytes(let data): blob(data)
        case .timestamp(let moment): signed(moment.milliseconds)
        case .location(let place): location(place)
        case .reference(let target): reference(target)
        case .asset(let file): asset(file)
        case .list: break
        }
    }

    mutating func location(_ place: Location) {
        double(place.latitude)
        double(place.longitude)
        for number in [
            place.horizontalAccuracy, place.verticalAccuracy, place.altitude, place.speed,
            place.course,
        ] {
            optional(number) { $0.double($1) }
        }
        optional(place.timestamp) { $0.signed($1.milliseconds) }
    }

    mutating func reference(_ target: Record.Reference) {
        string(target.recordName)
        optional(target.zoneID) { $0.zoneID($1) }
        byte(target.action == .none ? 0 : target.action == .deleteSelf ? 1 : 2)
    }

    mutating func zoneID(_ zone: RecordZone.ID) {
        string(zone.zoneName)
        optional(zone.ownerRecordName) { $0.string($1) }
    }

    private mutating func asset(_ file: Asset) {
        string(file.fileChecksum)
        signed(file.size)
        for text in [file.referenceChecksum, file.wrappingKey, file.receipt, file.downloadURL] {
            optional(text) { $0.string($1) }
        }
    }

    static func code(of kind: FieldValue.Kind) -> UInt8 {
        switch kind {
        case .string: 1
        case .int64: 2
        case .double: 3
        case .bytes: 4
        case .timestamp: 5
        case .location: 6
        case .reference: 7
        case .asset: 8
        }
    }
}

extension ByteReader {
    private static let kinds: [FieldValue.Kind] = [
        .string, .int64, .double, .bytes, .timestamp, .location, .reference, .asset,
    ]

    mutating func value() -> FieldValue {
        let code = byte()
        guard let kind = kind(code & 0x7F) else { return .int64(0) }
        guard code & 0x80 != 0 else { return scalar(kind) }
        return .list(kind, list { $0.scalar(kind) })
    }

    private mutating func kind(_ code: UInt8) -> FieldValue.Kind? {
        guard (1...8).contains(code) else {
            _ = failed()
            return nil
        }
        return Self.kinds[Int(code) - 1]
    }

    private mutating func scalar(_ kind: FieldValue.Kind) -> FieldValue {
        switch kind {
        case .string: .string(string())
        case .int64: .int64(signed())
        case .double: .double(double())
        case .bytes: .bytes(blob())
        case .timestamp: .timestamp(Timestamp(milliseconds: signed()))
        case .location: .location(location())
        case .reference: .reference(reference())
        case .asset: .asset(asset())
        }
    }

    mutating func location() -> Location {
        var place = Location(latitude: double(), longitude: double())
        place.horizontalAccuracy = optional { $0.double() }
        place.verticalAccuracy = optional { $0.double() }
        place.altitude = optional { $0.double() }
        place.speed = optional { $0.double() }
        place.course = optional { $0.double() }
        place.timestamp = optional { Timestamp(milliseconds: $0.signed()) }
        return place
    }

    mutating func reference() -> Record.Reference {
        let name = string()
        let zone = optional { $0.zoneID() }
        let actions: [Record.Reference.Action] = [.none, .deleteSelf, .validate]
        let action = Int(byte())
        return Record.Reference(
            name, zoneID: zone, action: action < actions.count ? actions[action] : .none)
    }

    mutating func zoneID() -> RecordZone.ID {
        let name = string()
        return RecordZone.ID(name, ownerRecordName: optional { $0.string() })
    }

    private mutating func asset() -> Asset {
        var file = Asset(fileChecksum: string(), size: signed())
        file.referenceChecksum = optional { $0.string() }
        file.wrappingKey = optional { $0.string() }
        file.receipt = optional { $0.string() }
        file.downloadURL = optional { $0.string() }
        return file
    }
}
