import Foundation
import Testing
import ToolRunner

/// The program with standard streams as shells hand them on, and signals from outside.
struct ProgramTests {
    private static let list = """
        { "version": 1, "environment": "development",
          "containers": [ { "identifier": "iCloud.com.example.app" } ],
          "credentials": { "apiToken": "env:A", "webAuthToken": "env:W" } }
        """

    /// What a shell says of a command line in a folder with `list.json`.
    private func shell(_ line: String, in folder: URL) throws -> (status: Int32, errors: String) {
        try Self.list.write(
            to: folder.appendingPathComponent("list.json"), atomically: true, encoding: .utf8)
        let ended = try Tool.run(
            "/bin/sh", ["-c", line, Program.path],
            variables: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path],
            folder: folder.path, errors: .kept)
        return (ended.status, ended.errors)
    }

    @Test func `with streams closed, nothing that is printed gets into a file`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let done = try shell(
            "\"$0\" containers list list.json --json-into events.jsonl <&- >&- 2>&-",
            in: folder.url)
        #expect(done.status == 0)
        let events = try String(
            contentsOf: folder.url.appendingPathComponent("events.jsonl"), encoding: .utf8)
        let lines = events.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("{\"event\":") }, "\(events)")
    }

    @Test func `a reader that leaves early is no failure, a full disk is`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        #expect(try shell("\"$0\" help | head -n 1", in: folder.url).status == 0)
        let full = try shell("\"$0\" containers list list.json > /dev/full", in: folder.url)
        #expect(full.status == 1)
        #expect(full.errors.contains("cannot write to standard output: No space left"))
    }

    @Test(arguments: [0.01, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5])
    func `a demonstration that is interrupted leaves nothing behind`(seconds: Double) throws {
        let folder = try Folder()
        defer { folder.remove() }
        let done = try shell(
            "timeout --foreground -s INT \(seconds) \"$0\" demo -q; exit $?", in: folder.url)
        // timeout(1) says 124 when it had to send the signal.
        #expect([0, 124, 130].contains(done.status), "\(done.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["list.json"], "\(names)")
    }

    #if THREAD_SANITIZER
        private static let canLimitFiles = false
    #else
        private static let canLimitFiles = true
    #endif

    @Test(
        .enabled(
            if: canLimitFiles,
            "ThreadSanitizer marks constants by a file of its own, which the limit would cut"))
    func `a plan that the disk has no room for leaves no half of it behind`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let script = """
            "$0" mock seed -q --profile wide --user ann --container iCloud.com.example.app \
                --zones 9000 --records 1 >&2
            "$0" plan -q --rehearsal -c list.json --state s --json-into p.jsonl >&2
            digest=$(sed -n 's/.*"event":"planned".*"digest":"\\([0-9a-f]*\\)".*/\\1/p' p.jsonl)
            trap "" XFSZ
            ulimit -f 256
            "$0" sweep -q --rehearsal -c list.json --state s --approve "$digest" >&2
            """
        try script.write(
            to: folder.url.appendingPathComponent("script"), atomically: true, encoding: .utf8)
        let done = try shell(
            "\"$0\" mock exec -q --any-container --state m -- sh -c \"$(cat script)\" \"$0\"",
            in: folder.url)
        #expect(done.status == 1)
        #expect(done.errors.contains(": File too large"), "\(done.errors)")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appendingPathComponent("s/rehearsal").path)
        #expect(
            left.allSatisfy {
                $0.hasPrefix("journal.sqlite") || ["locks", "state.key"].contains($0)
            }, "\(left)")
    }
}
