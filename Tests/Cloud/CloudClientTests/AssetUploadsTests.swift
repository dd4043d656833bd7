import AsyncOperations
import CloudClient
import CloudModel
import HTTPClient
import RawHTTPServer
import Testing

/// What an upload is told by a service that does not keep its word, and by one that does.
@Suite(.timeLimit(.minutes(10)))
struct AssetUploadsTests {
    /// How an upload ended, and how it went until then.
    private struct Outcome {
        var asset: Asset?
        var error: CloudError?
        var largestPiece = 0
    }

    private func send(
        _ count: Int, _ service: Service, address: String? = nil, upTo last: Int = .max,
        piece: Int = 50_000
    ) async throws -> Outcome {
        let endpoint = try #require(CloudEndpoint(service.baseURL))
        let client = service.client
        let uploads = AssetUploads(endpoint: endpoint) { request throws(HTTPClientError) in
            try await client.send(request)
        }
        let given = Locked((sum: 0, largest: 0))
        var outcome = Outcome()
        do throws(CloudError) {
            outcome.asset = try await uploads.send(
                count, to: address ?? service.baseURL + "/s3cr3t"
            ) { most in
                given.withLock { given in
                    guard given.sum < last else { return nil }
                    let size = min(most, piece)
                    let bytes = (given.sum..<given.sum + size).map { UInt8($0 % 251) }
                    given = (given.sum + size, max(given.largest, size))
                    return bytes
                }
            }
        } catch {
            outcome.error = error
        }
        outcome.largestPiece = given.withLock { $0.largest }
        return outcome
    }

    private static func receipt(_ size: Int, _ more: String = #","receipt":"r""#) -> String {
        #"{"singleFile":{"fileChecksum":"c","size":\#(size)\#(more)}}"#
    }

    @Test(arguments: [0, 1, 5_000_000])
    func `the bytes go as they are, piece by piece, with no credential`(size: Int) async throws {
        let service = try Service { _ in .send(answer(200, Self.receipt(size))) }
        defer { service.end() }
        for _ in 0..<2 {
            let outcome = try await send(size, service)
            #expect(outcome.asset?.receipt == "r" && outcome.error == nil)
            #expect(outcome.largestPiece <= 1 << 20, "the asset was held as a whole")
        }
        #expect(service.server.requests.count == 2)
        let sent: [UInt8] = (0..<size).map { UInt8($0 % 251) }
        for request in service.server.requests {
            #expect(request.line == "POST /s3cr3t")
            #expect(request[header: "Content-Length"] != nil)
            #expect(request[header: "Cookie"] == nil && request[header: "Authorization"] == nil)
            #expect(request.body == sent)
        }
    }

    @Test(arguments: [
        (answer(200, receipt(4)), CloudError.Code.unexpectedResponse),
        (answer(200, receipt(5, "")), .unexpectedResponse),
        (answer(200, receipt(5, #","receipt":"""#)), .unexpectedResponse),
        (answer(201, receipt(5)), .unexpectedResponse),
        (answer(301, headers: ["Location: /elsewhere"]), .unexpectedResponse),
        (answer(200, ""), .unexpectedResponse), (answer(200, "[]"), .unexpectedResponse),
        (answer(200, #"{"singleFile":[]}"#), .unexpectedResponse),
        (refusal(200, "QUOTA_EXCEEDED"), .quotaExceeded),
        (refusal(503, "TRY_AGAIN_LATER"), .tryAgainLater),
        (answer(503, "busy", headers: ["Retry-After: 7"]), .tryAgainLater),
        (answer(413, "too large"), .unexpectedResponse),
    ])
    func `what acknowledges something else is no upload`(
        text: String, code: CloudError.Code
    ) async throws {
        let service = try Service { _ in .send(text) }
        defer { service.end() }
        let outcome = try await send(5, service)
        #expect(outcome.asset == nil && outcome.error?.code == code)
        #expect(outcome.error?.reason.contains("s3cr3t") == false, "an address is a secret")
        #expect(service.server.requests.count == 1, "it was repeated, or a redirect followed")
    }

    @Test func `an answer that does not come is lost, and nothing is repeated`() async throws {
        let service = try Service { _ in .close }
        defer { service.end() }
        let outcome = try await send(5, service)
        #expect(outcome.error?.code == .responseLost)
        #expect(service.server.requests.count == 1)
    }

    @Test func `whoever gives no more ends the transfer`() async throws {
        let service = try Service { _ in .send(answer(200, Self.receipt(1_000_000))) }
        defer { service.end() }
        let outcome = try await send(1_000_000, service, upTo: 400_000)
        #expect(outcome.asset == nil && outcome.error?.code == .cancelled)
        // The connection cannot be used for anything else.
        let next = try await send(1_000_000, service)
        #expect(next.asset?.size == 1_000_000)
    }

    @Test(arguments: ["http://localhost:1/x", "file:///etc/passwd", ""])
    func `an address that leads away from the service gets nothing`(address: String) async throws {
        let service = try Service { _ in .send(answer(200, Self.receipt(5))) }
        defer { service.end() }
        let outcome = try await send(5, service, address: address)
        #expect(outcome.error?.code == .unexpectedResponse && service.server.requests.isEmpty)
    }
}
