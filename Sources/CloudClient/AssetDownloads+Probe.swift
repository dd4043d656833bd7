package import CloudModel
import HTTPClient

/// Asks for the first byte of an asset alone.
extension AssetDownloads: AssetProbe {
    /// Fetches with GET: an address may be signed for that method only.
    package func presence(at address: String) async throws(CloudError) -> AssetPresence {
        var request = HTTPClientRequest(
            .get, try endpoint.assetAddress(address), headers: [(name: "Range", value: "bytes=0-0")]
        )
        request.timeout = Self.timeoutMin
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await send(request)
        } catch {
            // Somebody who sends more than is read sends it.
            if error.code == .tooLarge { return .there(until: nil) }
            throw CloudError(error)
        }
        return try Self.presence(in: response)
    }

    private static func presence(
        in response: HTTPClientResponse
    ) throws(CloudError) -> AssetPresence {
        switch response.status {
        // An empty file has no first byte (416).
        case 200, 206, 416:
            return .there(until: response[header: "expires"].flatMap(HTTPDate.parse))
        case 404, 410: return .gone
        case 401, 403:
            throw CloudError(
                .accessDenied, reason: "the asset's address is refused: it may have expired",
                httpStatus: response.status)
        case 429, 503:
            let seconds = response[header: "retry-after"].flatMap { Int64($0) }
            throw CloudError(
                .tryAgainLater, reason: "the asset's address answers later",
                retryAfter: seconds.flatMap { $0 >= 0 ? .seconds($0) : nil },
                httpStatus: response.status)
        default:
            throw CloudError(
                .unexpectedResponse,
                reason: "the asset's address answers with status \(response.status)",
                httpStatus: response.status)
        }
    }
}
