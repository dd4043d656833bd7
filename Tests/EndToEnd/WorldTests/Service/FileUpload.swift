import CloudClient
import CloudModel
import HTTPClient
import JSON

/// Saves a record with a file beside it, as an app does.
struct FileUpload {
    let database: HTTPCloudDatabase
    let client: HTTPClient

    /// - Returns: where the file can be had.
    func save(_ name: String, file: String, in zone: RecordZone.ID) async throws -> String {
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: "photo", recordName: name)
        let reply = try await database.write(
            .uploadAssets(AssetUploadRequest([token], zoneID: zone)))
        guard case .assetUploads(let items) = reply, case .address(_, let url)? = items.first
        else { throw WorldError("no address for an upload: \(reply)") }
        let answer = try await client.send(HTTPClientRequest(.post, url, body: Array(file.utf8)))
        guard let kept = try JSONDocument.parse(answer.body).root["singleFile"],
            let checksum = kept["fileChecksum"]?.string, let size = kept["size"]?.int64
        else { throw WorldError("the upload is not taken: \(answer.status)") }
        var asset = Asset(fileChecksum: checksum, size: size)
        asset.receipt = kept["receipt"]?.string
        var operation = RecordOperation.make(name)
        operation.fields = ["photo": Field(.asset(asset))]
        let saved = try await database.modifyRecords(
            RecordModifyRequest(operations: [operation], zoneID: zone))
        guard case .record(let record)? = saved.records.first,
            case .asset(let found)? = record.fields["photo"]?.value, let address = found.downloadURL
        else { throw WorldError("the record is not saved: \(saved.records)") }
        return address
    }
}
