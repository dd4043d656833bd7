import Foundation
import RandomSeeds
import Testing
import ToolRunner

/// `cloudkit-mock exec` and `cloudkit-mock serve`, started and ended in every way: nothing is left of them.
@Suite(.timeLimit(.minutes(30)))
struct ExecTests {
    private static let rounds = Seeds.count(14, long: 200)

    /// How long the last of them may take to end, in seconds: much longer than it needs, much shorter than
    /// they would run.
    private static let silenceMax: Int32 = 100

    /// How a server comes to its end.
    enum Ending: String, CaseIterable {
        case programSucceeds, programFails, programIsKilled, toolIsTerminated, toolIsKilled
        case serverIsTerminated, serverIsKilled

        var isOfServer: Bool { [.serverIsTerminated, .serverIsKilled].contains(self) }
    }

    /// A program that starts others, one of them in a session of its own, and one that does not want to
    /// end; it prints their numbers and its own, once it is `ready`, and then does what is `last`.
    private static func tree(ready: String, last: String) -> String {
        """
        sleep 1000 & one=$!
        setsid sleep 1001 & two=$!
        sh -c 'trap "" TERM; sleep 1002 & wait; sleep 1003' & three=$!
        \(ready)
        echo "pids $$ $one $two $three"
        \(last)
        """
    }

    private func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }

    private func files(_ folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }

    private func start(_ words: [String], in folder: URL) throws -> Program.Started {
        let state = folder.appendingPathComponent("state").path
        let temporary = folder.appendingPathComponent("tmp").path
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let options = ["-q", "--any-container", "--state", state]
        return try Program.start(
            Array(words[..<end]) + options + Array(words[end...]),
            environment: ["TMPDIR": temporary], in: .plain, silenceMax: Self.silenceMax)
    }

    /// One server from its start to its end; what it ended with.
    private func round(_ ending: Ending, in folder: URL) throws -> Int32 {
        if ending.isOfServer {
            let server = try start(["mock", "serve"], in: folder)
            _ = try #require(try server.line(with: "ready "))
            server.process.send(ending == .serverIsKilled ? SIGKILL : SIGTERM)
            return try server.wait()
        }
        let program =
            switch ending {
            case .programSucceeds: Self.tree(ready: "", last: "exit 0")
            case .programFails: Self.tree(ready: "", last: "exit 42")
            case .programIsKilled: Self.tree(ready: "", last: "kill -9 $$")
            // It does not end when it is asked to, and says that it was.
            default: Self.tree(ready: "trap 'echo asked' TERM", last: "while :; do wait; done")
            }
        let tool = try start(
            ["mock", "exec", "--", "/bin/sh", "-c", program], in: folder)
        let line = try #require(try tool.line(with: "pids "))
        let pids = line.split(separator: " ").compactMap { Int32($0) }
        #expect(pids.count == 4)
        switch ending {
        case .toolIsKilled: tool.process.send(SIGKILL)
        case .toolIsTerminated:
            tool.process.send(SIGTERM)
            // Killed any earlier, the program could end before the tool has received its signal.
            _ = try #require(try tool.line(with: "asked"))
            kill(pids[0], SIGKILL)
        default: break
        }
        // Its output ends when the last of them has ended.
        let status = try tool.wait()
        for pid in pids { #expect(!isAlive(pid), "\(ending): \(pid) of \(line) is alive") }
        return status
    }

    @Test func `whatever ends it, no process and no file is left, and the status is the program's`()
        throws
    {
        let folder = try Folder()
        defer { folder.remove() }
        let temporary = folder.url.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let authority = ["ca", "ca/ca.key", "ca/ca.pem", "ca/server.key"].map { "state/" + $0 }
        var wasKilled = false
        for number in 0..<Self.rounds {
            let ending = Ending.allCases[number % Ending.allCases.count]
            let status = try round(ending, in: folder.url)
            let expected: Int32 =
                switch ending {
                case .programSucceeds, .serverIsTerminated: 0
                case .programFails: 42
                default: 128 + SIGKILL
                }
            #expect(status == expected, "\(ending)")
            var left = try files(folder.url)
            // The word that a server has left of itself is the next one's to write, and to remove.
            if ending.isOfServer { wasKilled = ending == .serverIsKilled }
            if wasKilled { left.removeAll { $0 == "state/ready.json" } }
            #expect(left == (["state"] + authority + ["tmp"]).sorted(), "\(ending)")
        }
    }

    @Test func `a matrix whose program ends well by a signal has no other run, and is no success`()
        throws
    {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["a.faults", "b.faults"] {
            try "# none".write(
                to: folder.url.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let marks = folder.url.appendingPathComponent("marks").path
        let tool = try start(
            [
                "mock", "exec", "--matrix", "--faults", folder.url.path, "--", "/bin/sh", "-c",
                "trap 'exit 0' TERM; echo x >> \(marks); echo pids $$; "
                    + "sleep 1000 & while :; do wait; done",
            ], in: folder.url)
        _ = try #require(try tool.line(with: "pids "))
        tool.process.send(SIGTERM)
        #expect(try tool.wait() == 128 + SIGTERM)
        #expect(try String(contentsOfFile: marks, encoding: .utf8) == "x\n")
    }

    @Test func `a program that cannot be started leaves nothing either`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let state = folder.url.appendingPathComponent("state").path
        let ended = try Program.run(
            ["mock", "exec", "--any-container", "--state", state, "--", "/no/such/program"])
        #expect(ended.status == 2)
        #expect(ended.errors.contains("/no/such/program cannot be started: No such file"))
    }

    @Test func `what a server was killed with of assets is removed by the next, drafts too`() throws
    {
        let folder = try Folder()
        defer { folder.remove() }
        let temporary = folder.url.appendingPathComponent("tmp")
        for name in ["new-cksweep-assets-old", "new-cksweep-assets-new", "cksweep-assets-old"] {
            try FileManager.default.createDirectory(
                at: temporary.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        let long = Date(timeIntervalSinceNow: -7200)
        try FileManager.default.setAttributes(
            [.modificationDate: long],
            ofItemAtPath: temporary.appendingPathComponent("new-cksweep-assets-old").path)
        // Another upload makes the folder that the next server looks around from.
        let fixture = """
            {"version": 1, "shows": "a file", "users": ["ann"], "databases": [
            {"container": "iCloud.a", "scope": "private", "user": "ann", "zones": [
            {"name": "Notes", "records": [{"recordName": "n", "recordType": "Note", "fields": {
            "file": {"type": "ASSETID", "value": {"base64": "YWJj"}}}}]}]}]}
            """
        let file = folder.url.appendingPathComponent("fixture.json")
        try fixture.write(to: file, atomically: true, encoding: .utf8)
        let tool = try start(
            ["mock", "exec", "--seed", file.path, "--", "/bin/ls", temporary.path], in: folder.url)
        _ = try tool.wait()
        #expect(try files(temporary) == ["new-cksweep-assets-new"])
    }
}
