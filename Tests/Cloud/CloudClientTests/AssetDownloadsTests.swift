import AsyncOperations
import CloudClient
import CloudModel
import HTTPClient
import RawHTTPServer
import Testing

/// What a download takes from a service that does not keep its word.
@Suite(.timeLimit(.minutes(10)))
struct AssetDownloadsTests {
    /// What a reader was handed, and how it ended.
    private struct Outcome {
        var bytes: [UInt8] = []
        var error: CloudError?
    }

    private func read(
        _ size: Int64, _ service: Service, address: String? = nil,
        takes: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
    ) async throws -> Outcome {
        var asset = Asset(fileChecksum: "checksum", size: size)
        asset.downloadURL = address ?? service.baseURL + "/s3cr3t/${f}"
        let endpoint = try #require(CloudEndpoint(service.baseURL))
        let taken = Locked<[UInt8]>([])
        var outcome = Outcome()
        do throws(CloudError) {
            let downloads = AssetDownloads(endpoint: endpoint, client: service.client)
            try await downloads.read(asset) { piece in
                taken.withLock { $0 += piece }
                return takes(piece)
            }
        } catch {
            outcome.error = error
        }
        outcome.bytes = taken.withLock { $0 }
        return outcome
    }

    @Test func `an asset comes as it is, by a name of our choice`() async throws {
        let service = try Service { _ in .send(answer(200, "bytes")) }
        defer { service.end() }
        let outcome = try await read(5, service)
        #expect(outcome.bytes == Array("bytes".utf8) && outcome.error == nil)
        let request = try #require(service.server.requests.first)
        #expect(request.line == "GET /s3cr3t/asset")
        #expect(request[header: "Cookie"] == nil && request[header: "Authorization"] == nil)
    }

    @Test(arguments: [
        // Announced as longer than the record says: refused before a byte is read.
        (answer(200, "bytes and more"), CloudError.Code.unexpectedResponse),
        // Not announced, and longer.
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nbyt\r\n3\r\nes!\r\n0\r\n\r\n", .unexpectedResponse
        ),
        (answer(204), .unexpectedResponse),
        (answer(206, "bytes", headers: ["Content-Range: bytes 0-4/5"]), .unexpectedResponse),
        (answer(301, headers: ["Location: /elsewhere"]), .unexpectedResponse),
        (answer(302, headers: ["Location: https://elsewhere.example/"]), .unexpectedResponse),
        (answer(404, "bytes"), .unexpectedResponse), (answer(410, "bytes"), .unexpectedResponse),
        (answer(200, "bytes", headers: ["Content-Encoding: gzip"]), .unexpectedResponse),
        (answer(503, "busy", headers: ["Retry-After: 7"]), .tryAgainLater),
        (answer(429, "busy"), .tryAgainLater),
    ])
    func `what is not the asset is refused, and nothing of it goes beyond the asset's size`(
        text: String, code: CloudError.Code
    ) async throws {
        let service = try Service { _ in .send(text) }
        defer { service.end() }
        let outcome = try await read(5, service)
        let error = try #require(outcome.error)
        #expect(error.code == code)
        #expect(outcome.bytes.count <= 5)
        #expect(!error.reason.contains("s3cr3t"), "an address is a secret")
        #expect(service.server.requests.count == 1, "a redirect was followed")
    }

    @Test(arguments: [
        RawServer.Reply.sendThenClose("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbyt"),
        .sendThenPart("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbyt"),
        .sendThenClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbyt\r\n"),
        .close,
    ])
    func `a body that is cut is none`(reply: RawServer.Reply) async throws {
        let service = try Service { _ in reply }
        defer { service.end() }
        #expect(try await read(5, service).error?.code == .responseLost)
    }

    @Test(arguments: ["http://localhost:1/x", "file:///etc/passwd", "", "https:", "ftp://a/b"])
    func `an address that leads away from the service is not asked`(address: String) async throws {
        let service = try Service { _ in .send(answer(200, "bytes")) }
        defer { service.end() }
        let outcome = try await read(5, service, address: address)
        #expect(outcome.error?.code == .unexpectedResponse)
        #expect(outcome.bytes == [] && service.server.requests.isEmpty)
    }

    /// Also of what comes last, when nothing is left to be read.
    @Test(arguments: [5, 900_000])
    func `whoever takes no more ends the transfer`(size: Int) async throws {
        let service = try Service { _ in .send(answer(200, String(repeating: "x", count: size))) }
        defer { service.end() }
        let outcome = try await read(Int64(size), service) { _ in false }
        #expect(outcome.error?.code == .cancelled)
        #expect(outcome.bytes.count < 600_000)
    }

    @Test func `an asset may be larger than any answer, and is never held as a whole`() async throws
    {
        // The client of these tests keeps 100,000 bytes of an answer.
        let (piece, count) = (String(repeating: "x", count: 50_000), 200)
        let service = try Service { _ in
            .script { say in
                guard say("HTTP/1.1 200 OK\r\nContent-Length: \(50_000 * count)\r\n\r\n") else {
                    return
                }
                for _ in 0..<count { guard say(piece) else { return } }
            }
        }
        defer { service.end() }
        let largest = Locked(0)
        let outcome = try await read(Int64(50_000 * count), service) { piece in
            largest.withLock { $0 = max($0, piece.count) }
            return true
        }
        #expect(outcome.error == nil && outcome.bytes.count == 50_000 * count)
        #expect(largest.withLock { $0 } <= 1 << 20)
    }
}
