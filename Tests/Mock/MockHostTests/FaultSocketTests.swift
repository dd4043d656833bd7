import Foundation
import Testing

/// Faults of the connection itself, as curl meets them.
@Suite(.timeLimit(.minutes(10)))
struct FaultSocketTests {
    typealias Running = MockServerTests.Running

    private func set(_ rule: String, on running: Running) throws {
        let answer = try running.curl(
            "--cacert", running.ready.caFile, "-X", "PUT", running.ready.url + "/_mock/v1/faults",
            "-d", "[\"\(rule)\"]")
        try #require(answer.text.contains("\"rules\""), "\(answer.text)")
    }

    /// How curl ends, and how many bytes of the body it has got.
    private func ask(
        _ running: Running, _ version: String, _ url: String
    ) throws -> (status: Int32, bytes: Int) {
        let answer = try running.curl(
            "--cacert", running.ready.caFile, version, "-o", "/dev/null", "-w",
            "\n%{size_download}", url)
        return (answer.status, Int(answer.text.split(separator: "\n").last ?? "") ?? -1)
    }

    @Test(arguments: [("--http1.1", Int32(18)), ("--http2", 92)], [0, 1, 20])
    func `a body is cut at a byte`(version: (name: String, error: Int32), bytes: Int) throws {
        let running = try Running()
        try set("users/caller once -> cut at \(bytes)", on: running)
        let cut = try ask(running, version.name, running.url("users/caller"))
        #expect(cut.status == version.error)
        // Of a stream that is reset curl drops what it has not handed on yet.
        #expect(version.name == "--http2" ? cut.bytes <= bytes : cut.bytes == bytes)
        let whole = try ask(running, version.name, running.url("users/caller"))
        #expect(whole.status == 0 && whole.bytes > 20)
    }

    @Test(arguments: ["--http1.1", "--http2"])
    func `a body that is not longer comes whole`(version: String) throws {
        let running = try Running()
        try set("users/caller -> cut at 100000", on: running)
        #expect(try ask(running, version, running.url("users/caller")).status == 0)
    }

    @Test func `the other requests of a connection go on behind a stream that is cut`() throws {
        let running = try Running()
        try set("users/caller once -> cut at 5", on: running)
        let url = running.url("users/caller")
        let answer = try running.curl(
            "--cacert", running.ready.caFile, "--http2", "-o", "/dev/null", "-o", "/dev/null", "-w",
            "%{exitcode} %{num_connects}\n", url, url)
        #expect(answer.text.contains("92 1\n0 0\n"), "\(answer.text)")
    }
}
