import CloudClient
import CloudKit
import HTTPClient

extension Backend {
    /// How the bytes of assets get to this server and back.
    func assets(at endpoint: CloudEndpoint) -> AssetWay {
        let send: HTTPCloudDatabase.Exchange = { request throws(HTTPClientError) in
            try await self.send(request)
        }
        return AssetWay(
            reading: AssetDownloads(endpoint: endpoint, send: send),
            sending: AssetUploads(endpoint: endpoint, send: send))
    }
}
