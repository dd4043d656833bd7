import CloudClient
import CloudModel
import HTTPClient
import JSON

/// Files beside records, over TLS.
extension PlaceStage {
    /// What the container's schema says.
    static let assetFields = AssetFields(["Note": ["photo"], "Tag": []])

    var probe: AssetDownloads { AssetDownloads(endpoint: host.endpoint, client: host.client) }

    /// Saves a record of a person with a file beside it.
    ///
    /// - Returns: where the file can be had.
    @discardableResult
    func save(
        _ name: String, file: String, in zone: RecordZone.ID, of user: String = "ada",
        _ scope: Database.Scope = .private
    ) async throws -> String {
        let database = try database(of: user, scope)
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: "photo", recordName: name)
        let reply = try await database.write(
            .uploadAssets(AssetUploadRequest([token], zoneID: zone)))
        guard case .assetUploads(let items) = reply, case .address(_, let url)? = items.first
        else { throw WorldError("no address for an upload: \(reply)") }
        let answer = try await host.client.send(
            HTTPClientRequest(.post, url, body: Array(file.utf8)))
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

    /// Whether an address gives its file.
    func gives(_ address: String) async throws -> Bool {
        try await host.client.send(HTTPClientRequest(.get, address)).status == 200
    }
}
