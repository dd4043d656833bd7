import Basics
package import CloudModel
import HTTPClient

/// Asks for the first byte of an asset alone.
extension AssetDownloads: AssetProbe {
    /// Fetches with GET: an address may be signed for that method only.
    package func presence(at address: String) async throws(CloudError) -> AssetPresence {
        let address = try endpoint.assetAddress(address)
        var request = HTTPClientRequest(
            .get, address, headers: [(name: "Range", value: "bytes=0-0")])
        request.timeout = probeTimeout
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await send(request)
        } catch {
            // Somebody who sends more than is read sends it.
            if error.code == .tooLarge { return .there(until: nil) }
            throw CloudError(error)
        }
        return try Self.presence(in: response, from: address)
    }

    private static func presence(
        in response: HTTPClientResponse, from address: String
    ) throws(CloudError) -> AssetPresence {
        switch response.status {
        // An empty file has no first byte (416).
        case 200, 206, 416:
            return .there(until: response[header: "expires"].flatMap(HTTPDate.parse))
        case 404: return .gone
        case 410 where isGood(address, at: response[header: "date"].flatMap(HTTPDate.parse)):
            return .gone
        case 401, 403, 410:
            throw CloudError(
                .accessDenied, reason: "the asset's address was refused: it may have expired",
                httpStatus: response.status)
        case 429, 503:
            throw CloudError(
                .tryAgainLater, reason: "the asset's address is not ready yet",
                retryAfter: wait(askedBy: response), httpStatus: response.status)
        default:
            throw CloudError(
                .unexpectedResponse,
                reason: "the asset's address returned status \(response.status)",
                httpStatus: response.status)
        }
    }

    /// Whether an address says that it is good at a moment of the server's clock: those of iCloud end
    /// with `e`, in seconds since 1970. Once it is over they answer 410 for files that are there.
    ///
    /// - SeeAlso: <https://github.com/picklepete/pyicloud/pull/275>
    private static func isGood(_ address: String, at moment: Timestamp?) -> Bool {
        let items = address.drop { $0 != "?" }.dropFirst().split(separator: "&")
        let ends = items.filter { $0.hasPrefix("e=") }.map { $0.dropFirst(2) }
        // Another number than one, or one that is none, says nothing.
        guard let moment, ends.count == 1, ends[0].utf8.count <= 12,
            ends[0].utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let seconds = Int64(ends[0])
        else { return false }
        return moment.milliseconds < seconds * 1000
    }
}
