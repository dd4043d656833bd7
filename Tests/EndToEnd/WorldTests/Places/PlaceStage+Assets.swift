import CloudClient
import CloudModel
import HTTPClient

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
        try await FileUpload(database: database(of: user, scope), client: host.client)
            .save(name, file: file, in: zone)
    }

    /// Whether an address gives its file.
    func gives(_ address: String) async throws -> Bool {
        try await host.client.send(HTTPClientRequest(.get, address)).status == 200
    }
}
