internal import CloudModel
internal import JSON

extension JSONWriter {
    /// `"key": "text"`; nothing when there is no text.
    mutating func pair(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// `"key": true`; nothing when there is no flag.
    mutating func pair(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        key(name)
        bool(flag)
    }

    /// `"key": 1`; nothing when there is no number.
    mutating func pair(_ name: String, _ number: Int?) {
        guard let number else { return }
        key(name)
        int64(Int64(number))
    }

    /// `"key": 1.5`; nothing when there is no number.
    mutating func pair(_ name: String, _ number: Double?) {
        guard let number else { return }
        key(name)
        double(number)
    }

    /// `"key": ["text"]`; nothing when there is no list.
    mutating func pair(_ name: String, _ texts: [String]?) {
        guard let texts else { return }
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    /// A zone ID as requests spell it: the caller's own zones without an owner.
    mutating func zoneID(_ id: RecordZone.ID) {
        beginObject()
        pair("zoneName", id.zoneName)
        pair("ownerRecordName", id.ownerRecordName)
        endObject()
    }

    /// A zone ID as answers spell it.
    mutating func zoneID(_ id: RecordZone.ID, caller: String) {
        beginObject()
        pair("zoneName", id.zoneName)
        pair("ownerRecordName", id.ownerRecordName ?? caller)
        pair("zoneType", id.isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
        endObject()
    }

    /// A reference.
    ///
    /// - Parameter caller: In answers, who stands for a zone owner of nil.
    mutating func reference(_ reference: Record.Reference, caller: String?) {
        beginObject()
        pair("recordName", reference.recordName)
        pair("action", reference.action.rawValue)
        if let zoneID = reference.zoneID {
            key("zoneID")
            if let caller { self.zoneID(zoneID, caller: caller) } else { self.zoneID(zoneID) }
        }
        endObject()
    }

    /// `{"value": …, "type": …}`
    ///
    /// - Parameters:
    ///   - caller: In answers, who stands for a zone owner of nil; nil in requests.
    ///   - isTyped: Whether to name the type.
    mutating func field(
        _ value: FieldValue, isTyped: Bool, isEncrypted: Bool = false,
        numbersAsStrings: Bool = false, caller: String? = nil
    ) {
        beginObject()
        key("value")
        fieldValue(value, numbersAsStrings: numbersAsStrings, caller: caller)
        if isTyped { pair("type", value.typeTag) }
        if isEncrypted { pair("isEncrypted", true) }
        endObject()
    }

    private mutating func fieldValue(
        _ value: FieldValue, numbersAsStrings: Bool, caller: String?
    ) {
        switch value {
        case .string(let text): string(text)
        case .int64(let number): integer(number, quoted: numbersAsStrings)
        case .double(let number):
            if numbersAsStrings { quoted(number) } else { double(number) }
        case .bytes(let bytes): string(Base64.encode(bytes))
        case .timestamp(let moment): integer(moment.milliseconds, quoted: numbersAsStrings)
        case .location(let location): self.location(location)
        case .reference(let reference): self.reference(reference, caller: caller)
        case .asset(let asset): self.asset(asset)
        case .list(_, let elements):
            beginArray()
            for element in elements {
                fieldValue(element, numbersAsStrings: numbersAsStrings, caller: caller)
            }
            endArray()
        }
    }

    private mutating func integer(_ number: Int64, quoted isQuoted: Bool) {
        if isQuoted { quoted(number) } else { int64(number) }
    }

    private mutating func location(_ location: Location) {
        beginObject()
        pair("latitude", location.latitude)
        pair("longitude", location.longitude)
        pair("horizontalAccuracy", location.horizontalAccuracy)
        pair("verticalAccuracy", location.verticalAccuracy)
        pair("altitude", location.altitude)
        pair("speed", location.speed)
        pair("course", location.course)
        pair("timestamp", location.timestamp.map { Int($0.milliseconds) })
        endObject()
    }

    private mutating func asset(_ asset: Asset) {
        beginObject()
        pair("fileChecksum", asset.fileChecksum)
        pair("size", Int(asset.size))
        pair("referenceChecksum", asset.referenceChecksum)
        pair("wrappingKey", asset.wrappingKey)
        pair("receipt", asset.receipt)
        pair("downloadURL", asset.downloadURL)
        endObject()
    }
}
