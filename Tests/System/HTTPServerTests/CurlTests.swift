import Foundation
import HTTPServer
import OpenSSL
import Testing
import ToolRunner

/// The server as curl and `openssl s_client` see it.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
struct CurlTests {
    /// Starts an echoing server and hands its URL and its authority's file to `body`.
    private func withServer(_ body: (String, String) throws -> Void) throws {
        let tls = try TestTLS()
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-\(UUID().uuidString).pem")
        try Data(tls.authority.certificatePEM).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try TestServer(tls: tls.server) { request, _, _ in
            .respond(
                HTTPResponse(
                    status: 200, headers: ["x-seen": "\(request.version) \(request.method)"],
                    body: request.body.isEmpty ? Array("ok".utf8) : request.body))
        }
        try body("https://localhost:\(server.port)/x?y", file.path)
        server.end()
    }

    private func curl(
        _ authority: String, _ arguments: [String], input: [UInt8] = []
    ) throws -> Tool.Ended {
        try Tool.run(
            "/usr/bin/curl", ["-sS", "--max-time", "20", "--cacert", authority] + arguments,
            input: input)
    }

    @Test(arguments: [
        (["--http1.1"], "1.1 http11"), (["--http2"], "2 http2"),
        (["--http1.1", "--tls-max", "1.2"], "1.1 http11"),
        (["--http2", "--tls-max", "1.2"], "2 http2"), (["--http1.0"], "1.1 http10"),
    ])
    func `curl gets its answer by every version`(options: [String], expected: String) throws {
        try withServer { url, authority in
            let words = expected.split(separator: " ")
            let got = try curl(
                authority,
                options + ["-w", " %{http_version} %{http_code} %header{x-seen}", url])
            #expect(got.status == 0)
            #expect(got.text == "ok \(words[0]) 200 \(words[1]) GET")
            let head = try curl(authority, options + ["-I", url])
            #expect(head.text.contains("content-length: 2\r\n"))
        }
    }

    @Test(arguments: ["--http1.1", "--http2"])
    func `bodies arrive whole, chunked ones too, and greater ones are refused`(version: String)
        throws
    {
        try withServer { url, authority in
            let fits = [UInt8](repeating: 0x7A, count: 2 << 20)
            let sent = try curl(authority, [version, "--data-binary", "@-", url], input: fits)
            #expect(sent.output.count == fits.count)
            let chunked = try curl(
                authority, [version, "-H", "Transfer-Encoding: chunked", "-T", "-", url],
                input: fits)
            #expect(chunked.output.count == fits.count)
            let exceeds = [UInt8](repeating: 0x7A, count: 3 << 20)
            let refused = try curl(
                authority, [version, "-w", "%{http_code}", "--data-binary", "@-", url],
                input: exceeds)
            #expect(refused.text == "413")
            let field = "X-Long: " + String(repeating: "x", count: 20_000)
            let long = try curl(authority, [version, "-w", "%{http_code}", "-H", field, url])
            #expect(long.text == "431")
        }
    }

    @Test func `old TLS, a strange authority and a strange name are refused`() throws {
        try withServer { url, authority in
            #expect(try curl(authority, ["--tls-max", "1.1", url]).status == 35)
            let other = try TestTLS()
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("cksweep-\(UUID().uuidString).pem")
            try Data(other.authority.certificatePEM).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try curl(file.path, [url]).status == 60)
            let port = url.split(separator: ":")[2].prefix { $0 != "/" }
            let misnamed = [
                "--resolve", "example.test:\(port):127.0.0.1", "https://example.test:\(port)/",
            ]
            #expect(try curl(authority, misnamed).status == 60)
        }
    }

    @Test func `s_client sees TLS 1 point 3 and a chain that verifies`() throws {
        try withServer { url, authority in
            let port = url.split(separator: ":")[2].prefix { $0 != "/" }
            let seen = try Tool.run(
                "/usr/bin/openssl",
                [
                    "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority,
                    "-verify_return_error", "-verify_ip", "127.0.0.1", "-alpn", "h2",
                ], input: Array("Q\n".utf8))
            #expect(seen.text.contains("Verify return code: 0 (ok)"))
            #expect(seen.text.contains("New, TLSv1.3"))
            #expect(seen.text.contains("ALPN protocol: h2"))
        }
    }
}
