import Basics
import CloudModel
import JSON
import MockService
import MockStore
import OpenSSL

/// A file that a record of a fixture has: `{"base64": "…"}` in place of an asset's dictionary.
package struct SeedAsset: Sendable, Hashable {
    /// What distinguishes a record's files.
    struct Key: Hashable {
        let field: AssetField
        let checksum: String
    }

    let field: AssetField
    let recordType: String
    let bytes: [UInt8]

    init(field: AssetField, recordType: String, bytes: [UInt8]) {
        (self.field, self.recordType, self.bytes) = (field, recordType, bytes)
    }

    /// Bytes of a file; the loop waits until it is on disk.
    private static let bytesMax = 1 << 20

    var checksum: String { AssetDigest(sha256: SHA256.hash(bytes)).checksum }
    var key: Key { Key(field: field, checksum: checksum) }

    /// Uploads it as an app would.
    func upload(_ step: SeedStep, to store: MockStore) throws(CloudError) -> Asset {
        guard case .write(.modifyRecords(let request)) = step.command else {
            preconditionFailure("files of what has no records")
        }
        let token = AssetUploadRequest.Token(
            recordType: recordType, fieldName: field.fieldName, recordName: field.recordName)
        let reply = try store.apply(
            .write(.uploadAssets(AssetUploadRequest([token], zoneID: request.zoneID))),
            at: step.address, by: .user(step.user))
        guard case .assetUploads(let items) = reply, let item = items.first else {
            preconditionFailure("a token without an answer")
        }
        switch item {
        case .address(_, let url): return try store.receiveAsset(bytes, at: url)
        case .failure(_, let error): throw error
        }
    }

    // MARK: - Reading

    /// Writes a record as it is sent to the service, its files by their checksums.
    ///
    /// - Parameter files: Gets the files.
    static func write(
        _ record: JSONValue, to writer: inout JSONWriter, _ files: inout [SeedAsset]
    ) throws(MockError) {
        writer.beginObject()
        for member in record.members {
            writer.key(member.key)
            guard member.key == "fields", member.value.kind == .object else {
                writer.value(member.value)
                continue
            }
            writer.beginObject()
            for field in member.value.members {
                writer.key(field.key)
                try write(field.value, of: record, field.key, to: &writer, &files)
            }
            writer.endObject()
        }
        writer.endObject()
    }

    /// Writes a field, its value or an element of that.
    private static func write(
        _ value: JSONValue, of record: JSONValue, _ field: String, to writer: inout JSONWriter,
        _ files: inout [SeedAsset]
    ) throws(MockError) {
        if value["base64"] != nil {
            let file = try SeedAsset(value, of: record, field)
            files.append(file)
            writer.beginObject()
            writer.member("fileChecksum", file.checksum)
            writer.member("size", file.bytes.count)
            writer.endObject()
        } else if value.kind == .array {
            writer.beginArray()
            for element in value.elements {
                try write(element, of: record, field, to: &writer, &files)
            }
            writer.endArray()
        } else if value["value"] != nil {
            writer.beginObject()
            for member in value.members {
                writer.key(member.key)
                try write(member.value, of: record, field, to: &writer, &files)
            }
            writer.endObject()
        } else {
            writer.value(value)
        }
    }

    private init(_ value: JSONValue, of record: JSONValue, _ field: String) throws(MockError) {
        try value.allow(["base64"])
        guard let bytes = Base64.decode(try value.requiredText("base64")) else {
            throw value.refusal("base64 must be a file's bytes in Base64")
        }
        guard bytes.count <= Self.bytesMax else {
            throw value.refusal("a fixture's file has at most \(Self.bytesMax) bytes")
        }
        self.field = AssetField(try record.requiredText("recordName"), field)
        recordType = try record.requiredText("recordType")
        self.bytes = bytes
    }
}

extension SeedStep {
    /// The command with what was uploaded for it.
    func command(attaching uploaded: [SeedAsset.Key: Asset]) -> CloudCommand {
        guard !uploaded.isEmpty, case .write(.modifyRecords(var request)) = command else {
            return command
        }
        for (index, operation) in request.operations.enumerated() {
            for (name, field) in operation.fields {
                guard var field, let record = operation.recordName else { continue }
                func attach(_ value: FieldValue) -> FieldValue {
                    guard case .asset(let asset) = value else { return value }
                    let key = SeedAsset.Key(
                        field: AssetField(record, name), checksum: asset.fileChecksum)
                    return .asset(uploaded[key] ?? asset)
                }
                field.value =
                    if case .list(let kind, let elements) = field.value {
                        .list(kind, elements.map(attach))
                    } else {
                        attach(field.value)
                    }
                request.operations[index].fields[name] = field
            }
        }
        return .write(.modifyRecords(request))
    }
}
