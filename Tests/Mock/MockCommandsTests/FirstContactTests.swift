import CommandLine
import CommandWorld
import Foundation
import Host
import JSON
import MockCommands
import RawHTTPServer
import Testing

/// What somebody sees who starts their first mock server, and what stands in the way of the next one.
@Suite(.timeLimit(.minutes(10)))
struct FirstContactTests {
    private func ready(_ world: TestWorld) throws -> JSONValue {
        try JSONDocument.parse(Array(world.text(at: "state/ready.json").utf8)).root
    }

    /// The lines of a greeting that stand under each other by two blanks, in order.
    private func pasted(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
    }

    @Test(
        arguments: [(["--container", "iCloud.a"], "zones"), (["--any-container"], "status")],
        [40, 80])
    func `a terminal of any width gets lines to paste, and they work`(
        _ server: (options: [String], part: String), columns: Int
    ) async throws {
        let world = try TestWorld()
        try await MockStart.run(in: world, server.options, isTerminal: true, columns: columns) {
            try await world.errors.wait(for: "Open the console in a browser: https://localhost:")
            let greeting = world.errors.text.split(separator: "Paste into another terminal:\n")
            let lines = pasted(String(greeting.last ?? ""))
            #expect(lines.count == 6, "\(lines)")
            #expect(lines.last == "eval \"$(cloudkit-mock env --state state)\"")
            let ended = await shell(
                lines.dropLast().joined(separator: "\n").replacing("curl ", with: "curl -sSf "))
            #expect(ended.status == 0 && ended.text.contains("\"\(server.part)\""), "\(ended.text)")
        }
    }

    @Test func `programs that start a server get its one line`() async throws {
        let world = try TestWorld()
        try await MockStart.run(in: world) {}
        #expect(world.output.text.split(separator: "\n").count == 1)
        #expect(!world.errors.text.contains("Paste"))
    }

    @Test func `a busy port is told with the program that has it`() async throws {
        let first = try TestWorld()
        try await MockStart.run(in: first) {
            let told = try ready(first)
            let port = try #require(told["port"]?.int64)
            let second = try TestWorld()
            #expect(await second.run("serve", "--port", "\(port)") == 2)
            let pid = ProcessInfo.processInfo.processIdentifier
            let program = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let words = "port \(port) of 127.0.0.1 is in use by \(program), process \(pid)\n"
            #expect(second.errors.text.contains(words), "\(second.errors.text)")
            #expect(second.errors.text.contains("omit --port"))
        }
    }

    @Test func `the holder of a port is found among many that listen`() throws {
        // The table of these is longer than a page of memory, which is what one read returns at most.
        let servers = try (0..<64).map { _ in try RawServer(nil) { _ in .close } }
        defer { for server in servers { server.stop() } }
        let pid = ProcessInfo.processInfo.processIdentifier
        for server in servers { #expect(PortHolder.find(port: server.port)?.pid == pid) }
    }

    /// Of a `/proc` with one process that may be looked into and one that may not.
    @Test(arguments: [
        (8443, "12 nginx"), (53, "12 nginx"), (8444, nil), (443, nil),
    ])
    func `the holder of a port is who has a socket that listens there`(
        port: UInt16, holder: String?
    ) throws {
        let world = try TestWorld()
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when uid\n"
        func line(_ local: String, _ state: String, _ inode: Int) -> String {
            "   0: \(local) 00000000:0000 \(state) 0:0 00:00000000 00000000 0 0 \(inode) 1\n"
        }
        // 8443 listens; 8444 is the near end of a connection; 443 is somebody else's; 53 is of IPv6.
        try world.put(
            head + line("0100007F:20FB", "0A", 71) + line("0100007F:20FC", "01", 71)
                + line("0100007F:01BB", "0A", 72), at: "net/tcp")
        try world.put(
            head + line("00000000000000000000000001000000:0035", "0A", 73), at: "net/tcp6")
        try world.put("nginx\n", at: "12/comm")
        try world.put("other\n", at: "9/comm")
        try FileManager.default.createDirectory(
            atPath: "\(world.folder)/12/fd", withIntermediateDirectories: true)
        // A child that has just been started has its parent's sockets, and may have a lower number.
        try FileManager.default.createDirectory(
            atPath: "\(world.folder)/7/fd", withIntermediateDirectories: true)
        for (process, start) in [(7, 2_000), (12, 1_000)] {
            let fields = [Int](repeating: 0, count: 18) + [start, 0]
            try world.put(
                "\(process) (a) b) S \(fields.map(String.init).joined(separator: " "))\n",
                at: "\(process)/stat")
            for (file, inode) in [("3", 71), ("4", 73)] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(world.folder)/\(process)/fd/\(file)",
                    withDestinationPath: "socket:[\(inode)]")
            }
        }
        let found = PortHolder.find(port: port, in: world.folder)
        #expect(found.map { "\($0.pid) \($0.program)" } == holder)
    }

    @Test func `a ready file of a server that was killed is told of, and replaced`() async throws {
        let world = try TestWorld()
        let ended = await shell("echo $$").text
        let pid = try #require(Int(ended.trimmingCharacters(in: .whitespacesAndNewlines)))
        let url = "https://localhost:1"
        try world.put("{\"url\": \"\(url)\", \"pid\": \(pid)}", at: "state/ready.json")
        #expect(await world.run("status", "--state", "state") == 2)
        let words = "the mock server started last (process \(pid) at \(url)) no longer runs"
        #expect(world.errors.text.contains(words), "\(world.errors.text)")
        try await MockStart.run(in: world) {
            #expect(
                world.errors.text.contains(
                    "was left by process \(pid), which ended without cleaning up"))
            let now = try ready(world)
            #expect(now["url"]?.string != url)
        }
    }

    @Test func `a server that is still there is told of before it is forgotten`() async throws {
        let world = try TestWorld()
        // The first process is always there.
        try world.put(
            #"{"url": "https://localhost:1", "pid": 1}"#, at: "state/ready.json")
        #expect(await world.run("status", "--state", "state") == 2)
        #expect(world.errors.text.contains("the mock server at https://localhost:1: "))
        try await MockStart.run(in: world) {
            let words = "process 1 serves https://localhost:1 with the same state folder"
            #expect(world.errors.text.contains(words), "\(world.errors.text)")
        }
    }

    @Test func `exec leaves the server that runs beside it alone, and says where it keeps`()
        async throws
    {
        let (first, second) = (try TestWorld(), try TestWorld())
        let state = ["--state", "\(first.folder)/state"]
        try await MockStart.run(in: first) {
            let before = try first.text(at: "state/ready.json")
            let told = try ready(first)
            let url = try #require(told["url"]?.string)
            let processes = PretendedProcesses { _, variables in
                // What is run there has the server that was made for it, with the same state folder.
                await Dispatcher.run(
                    ["status"] + state, in: second.environment(variables: variables)
                ).code + 40
            }
            let code = await Dispatcher.run(
                ["exec", "--any-container", "--keep-on-fail", "kept"] + state
                    + ["--", "make"], in: second.environment(processes: processes)
            ).code
            #expect(code == 40)
            #expect(second.output.text.contains("server      https://localhost:"))
            #expect(!second.output.text.contains(url))
            #expect(try first.text(at: "state/ready.json") == before)
            #expect(second.errors.text.contains("are in \(second.folder)/kept.\n"))
        }
    }
}
