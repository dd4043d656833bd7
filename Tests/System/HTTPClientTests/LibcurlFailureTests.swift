import CBrokenCurl
import HTTPClient
import RawHTTPServer
import Testing

/// libcurl finds an error that has to do with none of the requests.
@Suite(.timeLimit(.minutes(30))) struct LibcurlFailureTests {
    @Test func `a failure of libcurl's own fails what is under way, and the client goes on`()
        async throws
    {
        let isThere = Gate()
        let pair = try Pair { request in
            guard request.line.contains("/slow") else { return .send(answer()) }
            isThere.open()
            return .hang
        }
        defer { pair.end() }
        let url = "https://localhost:\(pair.server.port)"
        let client = pair.client
        let slow = Task { await failureOf(client, HTTPClientRequest(.get, url + "/slow")) }
        await isThere.passed()
        let begun = await failureOf(client, HTTPClientRequest(.get, url + "/broken-loop"))
        #expect(cbrokencurl_failures() == 1)
        #expect(begun?.code == .couldNotConnect)
        #expect(begun?.mayHaveBeenCarriedOut == false)
        let sent = await slow.value
        #expect(sent?.code == .connectionLost)
        #expect(sent?.mayHaveBeenCarriedOut == true)
        #expect(try await pair.get().status == 200)
    }
}
