package import Basics

/// The value of one field of a record.
package indirect enum FieldValue: Sendable, Hashable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case bytes([UInt8])
    case timestamp(Timestamp)
    case location(Location)
    case reference(Record.Reference)
    case asset(Asset)
    /// A list; every element is of the one scalar type given.
    case list(Kind, [FieldValue])

    /// The scalar types, spelled as the wire's type tags.
    package enum Kind: String, Sendable, CaseIterable {
        case string = "STRING"
        case int64 = "INT64"
        case double = "DOUBLE"
        case bytes = "BYTES"
        case timestamp = "TIMESTAMP"
        case location = "LOCATION"
        case reference = "REFERENCE"
        case asset = "ASSETID"
    }

    /// The scalar type of this value, or of a list's elements.
    package var kind: Kind {
        switch self {
        case .string: .string
        case .int64: .int64
        case .double: .double
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .location: .location
        case .reference: .reference
        case .asset: .asset
        case .list(let kind, _): kind
        }
    }

    package var isList: Bool {
        if case .list = self { true } else { false }
    }

    /// The wire's type tag, such as `STRING` or `STRING_LIST`.
    package var typeTag: String { isList ? kind.rawValue + "_LIST" : kind.rawValue }
}

/// A field as it stands in a record: its value, and how it was written.
package struct Field: Sendable, Hashable {
    package var value: FieldValue
    /// Whether the field is one of the encrypted fields of the schema.
    package var isEncrypted: Bool
    /// Whether the writer named the type; an untyped value takes the schema's type.
    package var isTyped: Bool
    /// Whether it is the type that says so, as in `ENCRYPTED_BYTES`: some clients read it only as
    /// they wrote it.
    package var isEncryptedByType: Bool

    package init(
        _ value: FieldValue, isEncrypted: Bool = false, isTyped: Bool = true,
        isEncryptedByType: Bool = false
    ) {
        self.value = value
        self.isEncrypted = isEncrypted || isEncryptedByType
        self.isTyped = isTyped
        self.isEncryptedByType = isEncryptedByType
    }

    /// The wire's type tag, such as `STRING` or `ENCRYPTED_BYTES`.
    package var typeTag: String {
        isEncryptedByType ? "ENCRYPTED_" + value.typeTag : value.typeTag
    }
}

/// A file kept beside a record. Mirrors `CKAsset` as far as the wire shows it.
package struct Asset: Sendable, Hashable {
    package var fileChecksum: String
    /// Bytes.
    package var size: Int64
    package var referenceChecksum: String?
    package var wrappingKey: String?
    /// Proof of an upload; sent when the asset is attached.
    package var receipt: String?
    /// Where the bytes can be had; only in answers.
    package var downloadURL: String?

    package init(fileChecksum: String, size: Int64) {
        self.fileChecksum = fileChecksum
        self.size = size
    }
}

/// A place on Earth, as a field value. Mirrors `CLLocation` as far as the service keeps it.
package struct Location: Sendable, Hashable {
    /// Degrees, −90 to 90.
    package var latitude: Double
    /// Degrees, −180 to 180.
    package var longitude: Double
    /// Metres.
    package var horizontalAccuracy: Double?
    /// Metres.
    package var verticalAccuracy: Double?
    /// Metres above sea level.
    package var altitude: Double?
    /// Metres a second.
    package var speed: Double?
    /// Degrees clockwise from north.
    package var course: Double?
    package var timestamp: Timestamp?

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
