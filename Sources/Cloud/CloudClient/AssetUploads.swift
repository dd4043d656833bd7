package import CloudModel
import CloudWire
import HTTPClient

/// Sends the bytes of assets to the addresses that the service gives out for them.
///
/// As with ``AssetDownloads``, no credential goes with them.
package struct AssetUploads: AssetSending {
    private let endpoint: CloudEndpoint
    private let send: HTTPCloudDatabase.Exchange

    /// - Parameter send: Sends a request of any length, from its source.
    package init(endpoint: CloudEndpoint, send: @escaping HTTPCloudDatabase.Exchange) {
        self.endpoint = endpoint
        self.send = send
    }

    /// See ``AssetSending/send(_:to:_:)``. Follows no redirect.
    package func send(
        _ byteCount: Int, to address: String, _ give: @escaping @Sendable (Int) -> [UInt8]?
    ) async throws(CloudError) -> Asset {
        var request = HTTPClientRequest(
            .post, try endpoint.assetAddress(address),
            headers: [(name: "Content-Type", value: "application/octet-stream")])
        request.timeout = AssetDownloads.timeout(forBytes: Int64(byteCount))
        request.source = BodySource(byteCount: byteCount, give: give)
        let answer: HTTPClientResponse
        do throws(HTTPClientError) {
            answer = try await send(request)
        } catch {
            throw CloudError(error)
        }
        let asset = try ReplyReader.readUploaded(
            answer.body, status: answer.status, retryAfterHeader: answer[header: "retry-after"])
        guard asset.size == byteCount, asset.receipt?.isEmpty == false else {
            throw CloudError(
                .unexpectedResponse,
                reason: "\(byteCount) bytes of an asset were sent, but the response is for "
                    + "\(asset.size), or has no receipt")
        }
        return asset
    }
}
