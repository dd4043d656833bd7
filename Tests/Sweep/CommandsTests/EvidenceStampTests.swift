import Basics
import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing
import TimeStampAuthority
import ToolRunner

/// Time stamps from an authority over HTTP.
@Suite(.timeLimit(.minutes(30)))
struct EvidenceStampTests {
    private static let key = "runs/rehearsal/keys/evidence.pub.pem"

    /// Answers as RFC 3161 wants over HTTP, by `openssl ts`; the argument says what goes wrong.
    private static let server = """
        import http.server, os, subprocess, sys
        mode, replies = sys.argv[1], []
        class Authority(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                query = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.headers["Content-Type"] == "application/timestamp-query"
                open("query.tsq", "wb").write(query)
                subprocess.run("openssl ts -reply -config tsa.cnf -section tsa -queryfile query.tsq"
                               " -out reply.tsr".split(), check=True, capture_output=True)
                reply = open("reply.tsr", "rb").read()
                replies.append(reply)
                if mode == "replay": reply = replies[0]
                if mode == "junk": reply = b"<html>"
                self.send_response(503 if mode == "down" else 200)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)
            def log_message(self, *arguments): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Authority)
        print("port", server.server_port, flush=True)
        server.serve_forever()
        """

    /// Runs `body` with the address of an authority.
    private func withServer(
        _ authority: TimeStampAuthority, _ mode: String = "good",
        _ body: (String) async throws -> Void
    ) async throws {
        let output = ChildOutput()
        let process = try ChildProcess(
            "/bin/sh",
            [
                "-c", "cd \"$0\" && exec python3 -c \"$1\" \"$2\"", authority.folder,
                Self.server, mode,
            ], streams: [-1, output.stream, -1])
        try output.started()
        do {
            let line = try #require(try output.line())
            let port = try #require(line.split(separator: " ").last)
            try await body("http://127.0.0.1:\(port)/")
        } catch {
            try process.killWhole()
            throw error
        }
        try process.killWhole()
    }

    /// A signed statement of a run, in the scene's world.
    private func statement(_ scene: SweepScene) async throws -> String {
        #expect(try await scene.cksweep("evidence", "init", "--rehearsal").code == 0)
        #expect(try await scene.cksweep("plan", "--json-into", "plan.jsonl").code == 0)
        let swept = try await scene.cksweep(
            "sweep", "--approve", try scene.digest("plan.jsonl"), "--verify-pause", "1ms",
            "--json-into", "sweep.jsonl")
        #expect(swept.code == 0, "\(swept.errors)")
        let report = try #require(
            try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" })
        return try #require(report["evidence"] as? String)
    }

    private func check(
        _ words: [String], in scene: SweepScene
    ) async throws -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = scene.world.environment()
        environment.output = output
        environment.errors = errors
        // The authority's certificate is of today.
        environment.wallClock = WallClock {
            Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        }
        let code = await Dispatcher.run(words, in: environment).code
        return (code, output.text, errors.text)
    }

    @Test func `an authority's word is put beside the statement, and checked offline`()
        async throws
    {
        let authority = try TimeStampAuthority()
        try await SweepScene.run { scene in
            let path = try await statement(scene)
            let token = path.dropLast(5) + ".tsr"
            let ca = ["--tsa-ca", authority.rootPath]
            let attest = ["attest", path, "--key", Self.key]
            // Nobody was asked yet.
            let none = try await check(attest + ca, in: scene)
            #expect(none.code == 11 && none.errors.contains("no time stamp"), "\(none.errors)")
            #expect(try await check(attest, in: scene).output.contains("not time stamped"))
            for (mode, code) in [("down", 1), ("junk", 11)] as [(String, Int32)] {
                try await withServer(authority, mode) { url in
                    let failed = try await check(
                        ["evidence", "stamp", path, "--tsa", url] + ca, in: scene)
                    #expect(failed.code == code, "\(mode): \(failed.errors)")
                    #expect(!FileManager.default.fileExists(atPath: String(token)))
                }
            }
            try await withServer(authority, "replay") { url in
                let stamp = ["evidence", "stamp", path, "--tsa", url] + ca
                let done = try await check(stamp, in: scene)
                #expect(done.code == 0 && done.output.contains("STAMPED:"), "\(done.errors)")
                let kept = try Data(contentsOf: URL(fileURLWithPath: String(token)))
                // An answer to another question, although it is over the same bytes.
                let replayed = try await check(stamp, in: scene)
                #expect(replayed.code == 11, "\(replayed.output)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: String(token))) == kept)
                #expect(
                    try authority.accepts(
                        Array(kept), over: Array(Data(contentsOf: URL(fileURLWithPath: path)))))
            }
            let good = try await check(attest + ca, in: scene)
            #expect(good.code == 0 && good.output.contains("time stamped by"))
            let stranger = try TimeStampAuthority()
            let other = try await check(attest + ["--tsa-ca", stranger.rootPath], in: scene)
            #expect(other.code == 11, "\(other.output)")
            // Its authority is down for good, and the evidence is as good as before.
            #expect(try await check(attest, in: scene).code == 0)
        }
    }

    @Test func `an authority is asked over TLS, or on this machine`() async throws {
        let world = try TestWorld()
        let code = await world.run(
            "evidence", "stamp", "run.json", "--tsa", "http://tsa.example.org", "--tsa-ca", "ca")
        #expect(code == 2 && world.errors.text.contains("https://"), "\(world.errors.text)")
    }
}
