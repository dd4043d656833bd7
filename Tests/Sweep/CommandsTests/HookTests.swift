import AsyncOperations
import Basics
import CommandWorld
import Commands
import Foundation
import OpenSSL
import RawHTTPServer
import Testing

/// What is told how a run ended: programs and servers, and what happens when they fail.
@Suite(.timeLimit(.minutes(30)))
struct HookTests {
    /// Sweeps a scene whose list has these hooks.
    private func sweep(
        _ scene: SweepScene, variables: [String: String] = [:]
    ) async throws -> (code: Int32, output: String, errors: String) {
        _ = try await scene.cksweep("plan", "--json-into", "plan.jsonl")
        return try await scene.cksweep(
            "sweep", "--approve", try scene.digest("plan.jsonl"), "--verify-pause", "1ms",
            "--json-into", "sweep.jsonl", "-v", variables: variables)
    }

    private static func adding(_ hooks: String) -> (String) -> String {
        { list in
            list.replacing("\"credentials\":", with: "\"hooks\": [ \(hooks) ], \"credentials\":")
        }
    }

    private func results(_ scene: SweepScene) throws -> [[String: Any]] {
        try scene.events("sweep.jsonl").filter { $0["event"] as? String == "hook" }
    }

    private func evidence(_ scene: SweepScene) throws -> String {
        let report = try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" }
        return try #require(report?["evidence"] as? String)
    }

    @Test func `a program is told by its standard input, and sees no secret`() async throws {
        let folder = try TestWorld()
        let script = "cat > \(folder.folder)/told; env > \(folder.folder)/seen; echo noted"
        let hooks = """
            { "after": "verified", "command": ["/bin/sh", "-c", "\(script)"] },
            { "after": "failed", "command": ["/bin/false"] }
            """
        try await SweepScene.run(list: Self.adding(hooks)) { scene in
            let done = try await sweep(scene, variables: ["PATH": "/usr/bin:/bin"])
            #expect(done.code == 0, "\(done.output)\(done.errors)")
            #expect(done.output.contains("HOOK: hook 1 (command) done"), "\(done.output)")
            #expect(done.errors.contains("noted"))
            let told = try #require(
                try JSONSerialization.jsonObject(with: Data(folder.text(at: "told").utf8))
                    as? [String: Any])
            #expect(told["event"] as? String == "verified" && told["status"] as? Int == 0)
            #expect(told["rehearsal"] as? Bool == true)
            let path = try evidence(scene)
            #expect(told["evidence"] as? String == path)
            let digest = SHA256.hash(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
            #expect(told["evidenceSHA256"] as? String == Hexadecimal.encode(digest))
            let seen = try folder.text(at: "seen")
            for (name, value) in scene.variables {
                #expect(!seen.contains("\(name)=") && !seen.contains(value), "\(name)")
            }
            // Only the hook that was meant, and it stands in the evidence.
            #expect(try results(scene).map { $0["position"] as? Int } == [1])
            let addendum = try String(
                contentsOfFile: path.dropLast(5) + ".addendum-1.json", encoding: .utf8)
            #expect(addendum.contains("\"kind\":\"command\""), "\(addendum)")
        }
    }

    @Test func `a program that fails leaves the run verified, and is told by its own status`()
        async throws
    {
        let hooks = """
            { "after": "any", "command": ["/bin/sh", "-c", "exit 3"] },
            { "after": "any", "command": ["/no/such/program"] },
            { "after": "verified", "command": ["/bin/true"] }
            """
        try await SweepScene.run(list: Self.adding(hooks)) { scene in
            let done = try await sweep(scene)
            #expect(done.code == 12, "\(done.output)\(done.errors)")
            #expect(done.output.contains("FOLLOW-UP FAILED: "), "\(done.output)")
            #expect(done.output.contains("HOOK FAILED: hook 1 (command) failed (3)"))
            #expect(
                try results(scene).map { $0["failure"] as? String }
                    == ["exitStatus", "notStarted", nil])
            let runs = try await scene.cksweep("runs", "--rehearsal")
            #expect(runs.output.contains("0, done"), "\(runs.output)")
        }
    }

    @Test func `what failed is told to who wants to know, and keeps its status`() async throws {
        let folder = try TestWorld()
        let hooks = """
            { "after": "failed", "command": ["/bin/sh", "-c", "cat > \(folder.folder)/told"] },
            { "after": "verified", "command": ["/bin/false"] }
            """
        try await SweepScene.run(list: Self.adding(hooks)) { scene in
            #expect(await scene.mock("faults", "zones/modify -> ACCESS_DENIED") == 0)
            let failed = try await sweep(scene)
            #expect(failed.code == 5, "\(failed.output)")
            let told = try folder.text(at: "told")
            #expect(told.contains("\"event\": \"failed\"") && told.contains("\"status\": 5"))
        }
    }

    @Test func `nobody is told of a run that was refused before anything was deleted`()
        async throws
    {
        let hooks = "{ \"after\": \"any\", \"command\": [\"/bin/false\"] }"
        try await SweepScene.run(list: Self.adding(hooks)) { scene in
            let refused = try await scene.cksweep("sweep", "--json-into", "sweep.jsonl")
            #expect(refused.code == 3, "\(refused.output)")
            #expect(try results(scene).isEmpty)
        }
    }

    // MARK: Webhooks

    /// A server with a certificate of its own authority that notes what it is asked.
    private final class Receiver: Sendable {
        static let secret = "a-secret-of-thirty-two-bytes-or-so"
        let requests = Locked<[RawServer.Request]>([])
        let server: RawServer
        let authority: [UInt8]

        init(_ statuses: [String]) throws {
            let now = Int64(Date().timeIntervalSince1970)
            let authority = try CertificateAuthority.make(now: now)
            let requests = requests
            server = try RawServer(authority.issue(for: ["localhost"], now: now)) { request in
                let number = requests.withLock { requests in
                    requests.append(request)
                    return requests.count
                }
                let status = statuses[min(number, statuses.count) - 1]
                return .send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }
            self.authority = authority.certificatePEM
        }

        var hook: String {
            """
            { "after": "verified", "webhook": "https://localhost:\(server.port)/done",
              "ca": "hook.pem", "secret": "env:HOOK" }
            """
        }
    }

    private func deliver(
        to receiver: Receiver, trusting authority: [UInt8]? = nil
    ) async throws -> (code: Int32, output: String, result: [String: Any]) {
        var ended: (code: Int32, output: String, result: [String: Any])?
        try await SweepScene.run(list: Self.adding(receiver.hook)) { scene in
            try scene.world.put(authority ?? receiver.authority, at: "hook.pem")
            let done = try await sweep(scene, variables: ["HOOK": Receiver.secret])
            ended = (done.code, done.output, try #require(try results(scene).first))
            #expect(
                !done.output.contains(Receiver.secret) && !done.errors.contains(Receiver.secret))
            let addendum = try String(
                contentsOfFile: try evidence(scene).dropLast(5) + ".addendum-1.json",
                encoding: .utf8)
            #expect(addendum.contains("\"kind\":\"webhook\""))
            #expect(!addendum.contains("localhost:\(receiver.server.port)"))
        }
        return try #require(ended)
    }

    @Test func `a server is sent a body that it can tell is ours`() async throws {
        let receiver = try Receiver(["204 No Content"])
        let done = try await deliver(to: receiver)
        #expect(done.code == 0, "\(done.output)")
        let request = try #require(receiver.requests.withLock { $0.first })
        #expect(request.line == "POST /done")
        let id = try #require(request[header: "webhook-id"])
        let moment = try #require(request[header: "webhook-timestamp"])
        #expect(id == done.result["id"] as? String)
        #expect(moment == "\(TestWorld.moment.milliseconds / 1000)")
        let tag = HMACSHA256.authenticate(
            Array("\(id).\(moment).".utf8) + request.body, key: Array(Receiver.secret.utf8))
        #expect(request[header: "webhook-signature"] == "v1," + Base64.encode(tag))
        #expect(String(decoding: request.body, as: UTF8.self).contains(id))
    }

    @Test func `S8 a server that is busy is asked again, with the same name`() async throws {
        let receiver = try Receiver([
            "503 Busy\r\nRetry-After: 0", "429 Slow\r\nRetry-After: 0", "200 OK",
        ])
        let done = try await deliver(to: receiver)
        #expect(done.code == 0, "\(done.output)")
        #expect(done.result["attempts"] as? Int == 3)
        let names = receiver.requests.withLock { $0.map { $0[header: "webhook-id"] } }
        #expect(names.count == 3 && Set(names).count == 1)
    }

    @Test(arguments: [
        ("400 Bad", "refused", 1), ("302 Found\r\nLocation: https://localhost/", "redirected", 1),
        ("500 Broken", "refused", 5),
    ])
    func `a server that will not have it fails the hook and not the run`(
        status: String, failure: String, attempts: Int
    ) async throws {
        let receiver = try Receiver([status])
        let done = try await deliver(to: receiver)
        #expect(done.code == 12, "\(done.output)")
        #expect(done.output.contains("FOLLOW-UP FAILED: "))
        #expect(done.result["failure"] as? String == failure)
        #expect(done.result["attempts"] as? Int == attempts)
        #expect(receiver.requests.withLock { $0.count } == attempts)
    }

    @Test func `a server that nobody vouches for is told nothing`() async throws {
        let receiver = try Receiver(["200 OK"])
        let stranger = try Receiver(["200 OK"])
        let done = try await deliver(to: receiver, trusting: stranger.authority)
        #expect(done.code == 12, "\(done.output)")
        #expect(done.result["failure"] as? String == "untrusted")
        #expect(receiver.requests.withLock { $0.isEmpty })
    }

    @Test func `a secret that is missing is found out before anybody is asked`() async throws {
        let receiver = try Receiver(["200 OK"])
        try await SweepScene.run(list: Self.adding(receiver.hook)) { scene in
            let done = try await sweep(scene)
            #expect(done.code == 2 && done.errors.contains("HOOK"), "\(done.errors)")
        }
    }

    /// Signed with its letters instead, it would be checked by nobody.
    @Test(arguments: ["whsec_", "whsec_not-base64"])
    func `a secret that is no key is found out before anybody is asked`(
        secret: String
    ) async throws {
        #expect(WebhookSignature(secret: secret) == nil)
        let receiver = try Receiver(["200 OK"])
        try await SweepScene.run(list: Self.adding(receiver.hook)) { scene in
            let done = try await sweep(scene, variables: ["HOOK": secret])
            #expect(done.code == 2 && done.errors.contains("whsec_"), "\(done.errors)")
        }
        #expect(receiver.requests.withLock { $0.isEmpty })
    }

    /// The example of the Standard Webhooks specification.
    @Test func `a signature is the one that others check`() throws {
        let signature = try #require(
            WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let headers = signature.headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at: Timestamp(milliseconds: 1_614_265_330_000),
            body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(
            headers.first { $0.name == "webhook-signature" }?.value
                == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }
}
