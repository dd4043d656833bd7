import HTTPClient
import Testing

@Suite struct HTTPVersionPolicyTests {
    @Test(arguments: [
        (LibcurlVersion(7, 81, 0), HTTPVersionPolicy.Version.http1),
        (LibcurlVersion(7, 88, 1), .http1), (LibcurlVersion(8, 0, 0), .http1),
        (LibcurlVersion(8, 14, 1), .http1), (LibcurlVersion(8, 15, 255), .http1),
        (LibcurlVersion(8, 16, 0), .http2), (LibcurlVersion(9, 0, 0), .http2),
    ])
    func `HTTP 2 is for releases that are not known to stall`(
        libcurl: LibcurlVersion, version: HTTPVersionPolicy.Version
    ) {
        let policy = HTTPVersionPolicy(libcurl: libcurl, requestsInFlight: 16)
        #expect(policy.version == version, "\(libcurl)")
    }

    @Test(arguments: [1, 2, 16, 64, 256])
    func `over HTTP 1 each request in flight has a connection, over HTTP 2 they share a few`(
        requests: Int
    ) {
        let old = HTTPVersionPolicy(
            libcurl: LibcurlVersion(7, 88, 1), requestsInFlight: requests)
        #expect(old.connectionsPerHost == requests)
        let new = HTTPVersionPolicy(
            libcurl: HTTPVersionPolicy.http2Since, requestsInFlight: requests)
        #expect(new.connectionsPerHost == min(requests, 4))
        #expect(new.connectionsPerHost * new.streamsPerConnection >= requests)
    }

    @Test func `a version is the number that libcurl says, and prints as people write it`() {
        #expect(LibcurlVersion(number: 0x075801) == LibcurlVersion(7, 88, 1))
        #expect("\(LibcurlVersion(7, 88, 1))" == "7.88.1")
        #expect(LibcurlVersion.loaded > LibcurlVersion(7, 80, 0))
    }
}
