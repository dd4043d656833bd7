import Basics
internal import CloudModel
internal import JSON

/// Reads field values in requests, and in answers.
struct FieldReader {
    /// Whether numbers may come in quotation marks.
    var acceptsQuotedNumbers = true
    /// Whether what cannot be read is kept as text instead of refused: for answers, where one odd
    /// field must not hide a record.
    var keepsOddities = false

    /// A type tag taken apart.
    struct Tag {
        var kind: FieldValue.Kind
        var isList = false
        var isEncrypted = false
    }

    /// Reads `{"value": …, "type": …}`; nil for the ways to say that a field is cleared.
    func field(_ value: JSONValue) throws(ShapeError) -> Field? {
        if value.isNull { return nil }
        guard value.kind == .object else {
            if keepsOddities { return Field(oddity(value), isTyped: false) }
            throw .wrong(value, expected: "an object with 'value'")
        }
        guard let content = value.optional("value") else { return nil }
        let flagged = try value.flag("isEncrypted") ?? false
        guard let type = value.optional("type") else {
            return Field(try inferred(content), isEncrypted: flagged, isTyped: false)
        }
        guard let tag = tag(type) else {
            if type.isString("UNKNOWN_LIST"), content.kind == .array {
                return Field(try inferred(content), isEncrypted: flagged, isTyped: false)
            }
            if keepsOddities { return Field(oddity(content), isEncrypted: flagged) }
            throw .wrong(type, expected: "a field type")
        }
        return Field(
            try typed(content, tag), isEncrypted: flagged, isTyped: true,
            isEncryptedByType: tag.isEncrypted)
    }

    /// Reads the value of a filter or a place to sort from, and whether its type was named.
    ///
    /// CloudKit JS may send a bare location.
    func operand(_ value: JSONValue) throws(ShapeError) -> (value: FieldValue, isTyped: Bool) {
        if value.kind == .object, value["value"] == nil, value["latitude"] != nil {
            return (.location(try location(value)), false)
        }
        guard let field = try field(value) else { throw .missing("value", in: value) }
        return (field.value, field.isTyped)
    }

    private func tag(_ type: JSONValue) -> Tag? {
        for kind in FieldValue.Kind.allCases where type.isString(kind.rawValue) {
            return Tag(kind: kind)
        }
        guard var name = type.string?[...] else { return nil }
        var tag = Tag(kind: .string)
        if name.hasPrefix("ENCRYPTED_") {
            tag.isEncrypted = true
            name = name.dropFirst("ENCRYPTED_".count)
        }
        if name.hasSuffix("_LIST") {
            tag.isList = true
            name = name.dropLast("_LIST".count)
        }
        switch name {
        case "ASSET": tag.kind = .asset
        case "BOOLEAN": tag.kind = .int64
        default:
            guard let kind = FieldValue.Kind(rawValue: String(name)) else { return nil }
            tag.kind = kind
        }
        return tag
    }

    private func typed(_ value: JSONValue, _ tag: Tag) throws(ShapeError) -> FieldValue {
        do throws(ShapeError) {
            guard tag.isList else { return try scalar(value, tag.kind) }
            guard value.kind == .array else {
                throw .invalid(value, type: tag.kind.rawValue + "_LIST")
            }
            var elements: [FieldValue] = []
            elements.reserveCapacity(value.count)
            for element in value.elements { elements.append(try scalar(element, tag.kind)) }
            return .list(tag.kind, elements)
        } catch {
            if keepsOddities { return oddity(value) }
            throw error
        }
    }

    private func scalar(
        _ value: JSONValue, _ kind: FieldValue.Kind
    ) throws(ShapeError) -> FieldValue {
        switch kind {
        case .string:
            if let text = value.string { return .string(text) }
        case .int64:
            if let number = integer(value) { return .int64(number) }
            if let flag = value.bool { return .int64(flag ? 1 : 0) }
        case .double:
            if let number = double(value) { return .double(number) }
        case .bytes:
            if let text = value.string, let bytes = Base64.decode(text) { return .bytes(bytes) }
        case .timestamp:
            if let number = integer(value) { return .timestamp(Timestamp(milliseconds: number)) }
        case .location:
            if value.kind == .object { return .location(try location(value)) }
        case .reference:
            if value.kind == .object { return .reference(try reference(value)) }
        case .asset:
            if value.kind == .object { return .asset(try asset(value)) }
        }
        throw .invalid(value, type: kind.rawValue)
    }

    private func inferred(_ value: JSONValue) throws(ShapeError) -> FieldValue {
        do throws(ShapeError) {
            guard value.kind == .array else { return try inferredScalar(value) }
            var elements: [FieldValue] = []
            for element in value.elements { elements.append(try inferredScalar(element)) }
            let kinds = Set(elements.map(\.kind))
            if kinds == [.int64, .double] {
                return .list(.double, value.elements.map { .double($0.double ?? 0) })
            }
            guard kinds.count < 2 else {
                throw .wrong(value, expected: "a list of values of one type")
            }
            return .list(kinds.first ?? .string, elements)
        } catch {
            if keepsOddities { return oddity(value) }
            throw error
        }
    }

    private func inferredScalar(_ value: JSONValue) throws(ShapeError) -> FieldValue {
        switch value.kind {
        case .string: return .string(try value.text())
        case .integer: return .int64(value.int64 ?? 0)
        case .double: return .double(value.double ?? 0)
        case .bool: return .int64(value.bool == true ? 1 : 0)
        case .object:
            if value["recordName"] != nil { return .reference(try reference(value)) }
            if value["latitude"] != nil { return .location(try location(value)) }
            if value["fileChecksum"] != nil { return .asset(try asset(value)) }
            throw .wrong(value, expected: "a value of a known type")
        case .array, .null:
            throw .wrong(value, expected: "a value of a known type")
        }
    }

    private func oddity(_ value: JSONValue) -> FieldValue {
        if let text = value.string { return .string(text) }
        var json = JSONWriter(reserving: 64)
        json.value(value)
        return .string(json.text)
    }
}

// The parts of values.
extension FieldReader {
    private func integer(_ value: JSONValue) -> Int64? {
        if let number = value.int64 { return number }
        if let number = value.double { return Int64(exactly: number) }
        guard acceptsQuotedNumbers, let text = value.string, text.utf8.count <= 20,
            text.utf8.first != 0x2B
        else { return nil }
        return Int64(text)
    }

    private func double(_ value: JSONValue) -> Double? {
        if let number = value.double { return number }
        guard acceptsQuotedNumbers, let text = value.string, text.utf8.count <= 40,
            text.utf8.allSatisfy({ Self.numberBytes.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }
    private static let numberBytes = Array("0123456789+-.eE".utf8)

    private func number(_ key: String, in value: JSONValue) throws(ShapeError) -> Double? {
        guard let member = value.optional(key) else { return nil }
        guard let number = double(member) else { throw .wrong(member, expected: "a number") }
        return number
    }

    private func requiredNumber(_ key: String, in value: JSONValue) throws(ShapeError) -> Double {
        guard let number = try number(key, in: value) else { throw .missing(key, in: value) }
        return number
    }

    private func location(_ value: JSONValue) throws(ShapeError) -> Location {
        var location = Location(
            latitude: try requiredNumber("latitude", in: value),
            longitude: try requiredNumber("longitude", in: value))
        location.horizontalAccuracy = try number("horizontalAccuracy", in: value)
        location.verticalAccuracy = try number("verticalAccuracy", in: value)
        location.altitude = try number("altitude", in: value)
        location.speed = try number("speed", in: value)
        location.course = try number("course", in: value)
        if let moment = value.optional("timestamp") {
            guard let milliseconds = integer(moment) else {
                throw .invalid(moment, type: "TIMESTAMP")
            }
            location.timestamp = Timestamp(milliseconds: milliseconds)
        }
        return location
    }

    /// Reads a reference; its action in any case, as one client writes `None`.
    func reference(_ value: JSONValue) throws(ShapeError) -> Record.Reference {
        let object = try value.object()
        guard let name = try object.text("recordName") else {
            throw .missing("recordName", in: object)
        }
        let zoneID = try object.optional("zoneID").map(RecordZone.ID.init(_:))
        guard let spelled = try object.filledText("action") else {
            return Record.Reference(name, zoneID: zoneID)
        }
        guard let action = Record.Reference.Action(rawValue: spelled.uppercased()) else {
            if keepsOddities { return Record.Reference(name, zoneID: zoneID) }
            throw .wrong(try object.required("action"), expected: "NONE, DELETE_SELF or VALIDATE")
        }
        return Record.Reference(name, zoneID: zoneID, action: action)
    }

    func asset(_ value: JSONValue) throws(ShapeError) -> Asset {
        guard let checksum = try value.text("fileChecksum") ?? (keepsOddities ? "" : nil) else {
            throw .missing("fileChecksum", in: value)
        }
        guard let size = value.optional("size").map(integer) ?? (keepsOddities ? 0 : nil) else {
            throw .missing("size", in: value)
        }
        var asset = Asset(fileChecksum: checksum, size: size)
        asset.referenceChecksum = try value.text("referenceChecksum")
        asset.wrappingKey = try value.text("wrappingKey")
        asset.receipt = try value.text("receipt")
        asset.downloadURL = try value.text("downloadURL")
        return asset
    }
}

extension JSONWriter {
    /// `"name": { … }` of a reference; nothing when there is none.
    ///
    /// - Parameter caller: In answers, who stands for a zone owner of nil.
    mutating func reference(
        _ name: String, _ reference: Record.Reference?, caller: String? = nil
    ) {
        guard let reference else { return }
        key(name)
        self.reference(reference, caller: caller)
    }

    private mutating func reference(_ reference: Record.Reference, caller: String?) {
        beginObject()
        member("recordName", reference.recordName)
        member("action", reference.action.rawValue)
        zoneID(reference.zoneID, caller: caller)
        endObject()
    }

    /// `{"value": …, "type": …}`
    ///
    /// - Parameters:
    ///   - isTyped: Whether to name the type.
    ///   - caller: In answers, who stands for a zone owner of nil; nil in requests.
    mutating func field(
        _ field: Field, isTyped: Bool, numbersAsStrings: Bool = false, caller: String? = nil
    ) {
        beginObject()
        key("value")
        fieldValue(field.value, numbersAsStrings: numbersAsStrings, caller: caller)
        if isTyped || field.isEncryptedByType { member("type", field.typeTag) }
        if field.isEncrypted, !field.isEncryptedByType { member("isEncrypted", true) }
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
        member("latitude", location.latitude)
        member("longitude", location.longitude)
        member("horizontalAccuracy", location.horizontalAccuracy)
        member("verticalAccuracy", location.verticalAccuracy)
        member("altitude", location.altitude)
        member("speed", location.speed)
        member("course", location.course)
        member("timestamp", location.timestamp?.milliseconds)
        endObject()
    }

    private mutating func asset(_ asset: Asset) {
        beginObject()
        assetMembers(asset)
        endObject()
    }

    /// What an asset's dictionary holds.
    mutating func assetMembers(_ asset: Asset) {
        member("fileChecksum", asset.fileChecksum)
        member("size", asset.size)
        member("referenceChecksum", asset.referenceChecksum)
        member("wrappingKey", asset.wrappingKey)
        member("receipt", asset.receipt)
        member("downloadURL", asset.downloadURL)
    }
}
