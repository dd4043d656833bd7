import AsyncOperations
import Basics
import DonationScript
import DonationStore
import Donations
import Foundation
import RandomSeeds
import SQLite
import Testing
import ToolRunner

/// Real processes: killed at any moment, several on one store, and one without room.
@Suite(.serialized)
struct ProcessTests {
    private static let kills = Seeds.count(20, long: 400, sanitized: 4)

    static let program: String = {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = tests.appendingPathComponent("DonationChild").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // Under some runners the first argument is the runner's own.
        return Bundle.main.bundleURL.appendingPathComponent("DonationChild").path
    }()

    /// A process and what it says.
    private struct Talker {
        let process: ChildProcess
        private let output: FileHandle
        private(set) var lines: [String] = []

        init(_ arguments: [String]) throws {
            let pipe = Pipe()
            process = try ChildProcess(
                ProcessTests.program, arguments,
                streams: [-1, pipe.fileHandleForWriting.fileDescriptor, -1])
            try pipe.fileHandleForWriting.close()
            output = pipe.fileHandleForReading
        }

        /// Waits for a line.
        mutating func next() -> String? {
            var bytes: [UInt8] = []
            while let byte = try? output.read(upToCount: 1)?.first, byte != 0x0A {
                bytes.append(byte)
            }
            if !bytes.isEmpty { lines.append(String(decoding: bytes, as: UTF8.self)) }
            return bytes.isEmpty ? nil : lines.last
        }

        /// Hears it to its end.
        mutating func end() -> Int32 {
            while next() != nil {}
            return process.wait()
        }
    }

    @Test
    func `I9 what a process said before kill -9 is there, wholly, and no image file too many`()
        async throws
    {
        let seed = Seeds.one("killed donors")
        var generator = SeededGenerator(seed: seed)
        let calls = DonationScript.calls(seed: seed)
        let states = try await Self.states(calls)
        var folder = TemporaryFolder()
        var done = 0
        var kills = 0
        while kills < Self.kills {
            var child = try Talker(["script", folder.path, "\(seed)", "\(done)"])
            for _ in 0..<Int.random(in: 0..<40, using: &generator) where child.next() == nil {
                break
            }
            Self.pass(.microseconds(Int.random(in: 0..<3000, using: &generator)))
            child.process.send(SIGKILL)
            if child.end() == 128 + SIGKILL { kills += 1 }
            let said = child.lines.last.flatMap {
                $0 == "closed" ? calls.count : Int($0).map { $0 + 1 }
            }
            let completed = said ?? done
            let store = try fileStore(folder)
            let found = try await DonationScript.state(store)
            // The call under way when it was killed is there wholly or not at all.
            let places = [completed, completed + 1].filter { $0 <= calls.count }
            guard let place = places.first(where: { states[$0] == found }) else {
                Issue.record("seed \(seed), after call \(completed): \(found)")
                return
            }
            try await CrashTests.expectNoOrphan(store, folder)
            await store.flushAndClose()
            done = place
            if done == calls.count { (folder, done) = (TemporaryFolder(), 0) }
        }
    }

    /// The state after each call.
    private static func states(_ calls: [DonationScript.Call]) async throws -> [[String]] {
        let store = try memoryStore()
        var states: [[String]] = [[]]
        for (number, call) in calls.enumerated() {
            try await DonationScript.carryOut(call, on: store, number: number)
            states.append(try await DonationScript.state(store))
        }
        return states
    }

    /// Lets some time pass, so that a kill comes anywhere in a call.
    private static func pass(_ time: Duration) {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: time)
        while clock.now < end {}
    }

    @Test func `an app and its extension, and one that is killed, lose nothing of each other`()
        async throws
    {
        let folder = TemporaryFolder()
        let rounds = 60
        var app = try Talker(["share", folder.path, "app", "\(rounds)"])
        var third = try Talker(["share", folder.path, "third", "5000"])
        var helper = try Talker(["share", folder.path, "helper", "\(rounds)"])
        for _ in 0..<10 { _ = third.next() }
        third.process.send(SIGKILL)
        #expect(third.end() == 128 + SIGKILL)
        #expect(app.end() == 0, "\(app.lines.last ?? "")")
        #expect(helper.end() == 0, "\(helper.lines.last ?? "")")
        let store = try fileStore(folder)
        try await CrashTests.expectNoOrphan(store, folder)
        for name in ["app", "helper"] {
            let rows = try await store.list(.interaction).map(\.identifier)
            let items = try await store.list(.searchableItem).map(\.identifier)
            #expect(
                Set(rows.filter { $0.hasPrefix(name) })
                    == Set((0..<rounds).filter { $0 % 3 != 0 }.map { "\(name)-\($0)" }))
            #expect(
                Set(items.filter { $0.hasPrefix(name) })
                    == Set((0..<rounds).filter { $0 % 5 != 2 }.map { "\(name)-x\($0)" }))
            #expect(try await store.search("soup 1 of \(name)", limit: 5) == ["\(name)-x1"])
        }
        let spoken = try #require(third.lines.last.flatMap { Int($0) })
        #expect(
            try await store.list(.searchableItem).contains { $0.identifier == "third-x\(spoken)" }
                == (spoken % 5 != 2 || spoken % 10 != 9))
        await store.flushAndClose()
        let connection = try Connection(.file(folder.path + "/donations.sqlite"))
        #expect(try connection.problems() == [])
        let tables = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE sql GLOB 'CREATE VIRTUAL TABLE *'"
        ).compactMap { $0.first?.string }
        #expect(tables.count > 2)
        for table in tables {
            try connection.execute("INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")
        }
    }

    @Test func `without room a call fails as a whole, and with room the store goes on`() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
        // A small file system of its own, where that is allowed.
        let mount = "mount -t tmpfs -o size=4m tmpfs \"$1\" && exec \"$0\" fill \"$1\""
        let names = ["-rm", "sh", "-c", mount, Self.program, folder.path]
        var ended = try Tool.run("unshare", names, errors: .joined)
        let isMounted = ended.text.contains("failed ")
        if !isMounted {
            // Else no file may grow beyond a megabyte or two.
            let limit = "ulimit -S -f 4000 && exec \"$0\" fill \"$1\""
            ended = try Tool.run("sh", ["-c", limit, Self.program, folder.path], errors: .joined)
        }
        let lines = ended.text.split(separator: "\n").map(String.init)
        let codes = Set((lines.first ?? "").split(separator: " ").dropFirst().map(String.init))
        let expected: Set = isMounted ? ["diskFull"] : ["diskFull", "inputOutput", "broken"]
        #expect(!codes.isEmpty && codes.isSubset(of: expected), "\(ended.text)")
        #expect(
            Array(lines.dropFirst()) == [
                "some true", "full rows true images true", "later rows true images true",
                "again rows true images true",
            ], "\(ended.text)")
        #expect(ended.status == 0)
    }
}
