import Basics
import CloudModel
import CloudWire

/// Checks the fields of a record that is to be saved, and gives untyped values their type.
struct FieldChecker {
    let types: KnownTypes
    let session: Session
    let options: MockOptions
    let recordType: String

    /// Checks the record's type: its name, and that it may be used.
    func checkType() throws(CloudError) {
        if !Self.systemTypes.contains(recordType) { try Self.check(recordType: recordType) }
        guard !isFrozen || types.knows(type: recordType, isFrozen: true) else {
            throw CloudError(
                .badRequest, reason: "Cannot create new type \(recordType) in production schema",
                rule: "production-without-schema")
        }
    }

    /// The fields as they are stored; a nil clears.
    func checked(_ fields: [String: Field?]) throws(CloudError) -> [String: Field?] {
        var result = fields
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
            if !isShareField(name) { try Self.check(fieldName: name) }
            if let field { result[name] = .some(try checked(field, name)) }
        }
        return result
    }

    private static let systemTypes = [KnownTypes.usersType, Share.recordType]

    /// The fields that only share records have.
    private func isShareField(_ name: String) -> Bool {
        recordType == Share.recordType
            && ["cloudkit.title", "cloudkit.type", "cloudkit.thumbnailImageData"].contains(name)
    }

    private func checked(_ field: Field, _ name: String) throws(CloudError) -> Field {
        if field.isEncrypted, session.isPublic {
            throw CloudError(
                .badRequest, reason: "encrypted fields are not supported in public databases")
        }
        try checkReferences(field.value)
        var field = field
        if let known = types.field(name, of: recordType, isFrozen: isFrozen) {
            field.value = try converted(field, to: known)
            guard field.isEncrypted == known.isEncrypted else {
                throw CloudError(
                    .badRequest,
                    reason: known.isEncrypted
                        ? "Invalid value, expected type \(known.typeTag)."
                        : "encrypted data cannot be saved in a non-encrypted field")
            }
        } else if isFrozen, recordType != Share.recordType {
            throw CloudError(
                .badRequest,
                reason: "Cannot create or modify field '\(name)' in record '\(recordType)' in "
                    + "production schema")
        } else if case .list(_, []) = field.value {
            throw CloudError(
                .badRequest,
                reason: "cannot use an empty list to initialize a new field "
                    + "(field '\(name)' in record type '\(recordType)')", rule: "empty-list")
        }
        field.isTyped = true
        return field
    }

    /// Whether this environment's schema does not grow by saving.
    private var isFrozen: Bool { types.isFrozen(in: session.address.environment, options) }

    /// The value as the field's known type.
    private func converted(
        _ field: Field, to known: KnownTypes.KnownField
    ) throws(CloudError) -> FieldValue {
        let value = field.value
        if value.kind == known.kind, value.isList == known.isList { return value }
        if case .list(_, let elements) = value, elements.isEmpty, known.isList, !field.isTyped {
            return .list(known.kind, [])
        }
        if !field.isTyped, !options.refusesUntypedMismatch, value.isList == known.isList {
            switch value {
            case .list(_, let elements):
                let made = elements.compactMap { Self.convert($0, to: known.kind) }
                if made.count == elements.count { return .list(known.kind, made) }
            default:
                if let made = Self.convert(value, to: known.kind) { return made }
            }
        }
        throw CloudError(
            .badRequest, reason: "Invalid value, expected type \(known.typeTag).", rule: 35)
    }

    /// An untyped value as another type, where nothing is lost by it.
    static func convert(_ value: FieldValue, to kind: FieldValue.Kind) -> FieldValue? {
        switch (value, kind) {
        case (_, value.kind): value
        case (.int64(let number), .timestamp): .timestamp(Timestamp(milliseconds: number))
        case (.int64(let number), .double):
            Int64(exactly: Double(number)) == number ? .double(Double(number)) : nil
        case (.string(let text), .bytes): Base64.decode(text).map { .bytes($0) }
        default: nil
        }
    }

    /// References stay in their zone: the one of the record.
    private func checkReferences(_ value: FieldValue) throws(CloudError) {
        switch value {
        case .list(_, let elements):
            for element in elements { try checkReferences(element) }
        case .reference(let target):
            guard options.allows(name: target.recordName, mayBeSystem: true) else {
                throw CloudError(.badRequest, reason: "a reference names no valid record")
            }
        case .location(let place):
            guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else {
                throw CloudError(.badRequest, reason: "a location lies outside the Earth")
            }
        default: break
        }
    }

    /// Whether a name can be a record type's, field's, subscription's or role's.
    static func isValid(name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= WireLimits.identifierMax else {
            return false
        }
        func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return isLetter(first)
            && name.utf8.allSatisfy {
                isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F
            }
    }

    /// Refuses what cannot be a record type's name.
    static func check(recordType name: String) throws(CloudError) {
        guard isValid(name: name) else {
            throw CloudError(
                .badRequest, reason: "a record type is a letter, then letters, digits and _")
        }
    }

    /// Refuses what cannot be a field's name.
    static func check(fieldName name: String) throws(CloudError) {
        guard isValid(name: name) else {
            throw CloudError(
                .badRequest, reason: "a field name is a letter, then letters, digits and _")
        }
    }

}
