import CloudModel
import Foundation
import Journal
import Testing
import ToolRunner

struct LockTests {
    @Test func `S15 one run at a time, and a held lock says whose it is`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        _ = try await journal.begin(
            try start("one"), [.lock(keys: ["a", "b"], holder("one", pid: 1))])
        let error = await #expect(throws: JournalError.self) {
            _ = try await journal.begin(
                try start("two"), [.lock(keys: ["b", "c"], holder("two", pid: 2))])
        }
        #expect(error?.code == .locked)
        #expect(error?.holder?.run == "one")
        #expect(error?.holder?.process.pid == 1)
        #expect(error?.reason.contains("process 1 on here") == true)
    }

    @Test func `S15 a refused run leaves nothing behind and the journal usable`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        _ = try await journal.begin(
            try start("one"), [.lock(keys: ["b"], holder("one", pid: 1))])
        await #expect(throws: JournalError.self) {
            _ = try await journal.begin(
                try start("two"), [.lock(keys: ["a", "b"], holder("two", pid: 2))])
        }
        // "a" was not kept by the refused run.
        _ = try await journal.begin(
            try start("three"), [.lock(keys: ["a"], holder("three", pid: 3))])
        #expect(try await journal.runs(limit: 9).map(\.id) == ["three", "one"])
    }

    @Test func `S15 the lock of a dead process is taken over`() async throws {
        let folder = Folder()
        _ = try await folder.journal().begin(
            try start("one"), [.lock(keys: ["a"], holder("one", pid: 1))])
        let later = folder.journal(isAlive: { $0.pid != 1 })
        _ = try await later.begin(
            try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
        await #expect(throws: JournalError.self) {
            _ = try await later.begin(
                try start("three"), [.lock(keys: ["a"], holder("three", pid: 3))])
        }
    }

    @Test func `a lock is free again after the run`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(
            try start("one"), [.lock(keys: ["a"], holder("one", pid: 1))])
        try await journal.write([.unlock], run: run.key)
        _ = try await journal.begin(
            try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
    }

    @Test func `this process is alive, one before it under the same number is not`() {
        let me = ProcessIdentity.current()
        #expect(me.startTicks > 0)
        #expect(me.seemsAlive())
        let older = ProcessIdentity(
            host: me.host, boot: me.boot, pid: me.pid, startTicks: me.startTicks - 1)
        #expect(!older.seemsAlive())
        let beforeRestart = ProcessIdentity(
            host: me.host, boot: "another", pid: me.pid, startTicks: me.startTicks)
        #expect(!beforeRestart.seemsAlive())
        let elsewhere = ProcessIdentity(
            host: "elsewhere", boot: "another", pid: 1, startTicks: 1)
        #expect(elsewhere.seemsAlive())
    }

    /// What a killed run leaves until whoever started it asks for its end.
    @Test func `S15 a lock of a process that ended, though nobody waited for it, is free`()
        async throws
    {
        let child = try ChildProcess("true", [])
        defer { child.wait() }
        await child.ended()
        let stat = try String(
            contentsOfFile: "/proc/\(child.identifier)/stat", encoding: .utf8
        ).split(separator: " ")
        let here = ProcessIdentity.current()
        let process = ProcessIdentity(
            host: here.host, boot: here.boot, pid: child.identifier,
            startTicks: try #require(Int64(stat[21])))
        #expect(!process.seemsAlive())
        let one = LockHolder(run: "one", process: process, since: Timestamp(milliseconds: 5))
        let folder = Folder()
        let journal = folder.journal(isAlive: { $0.seemsAlive() })
        _ = try await journal.begin(try start("one"), [.lock(keys: ["a"], one)])
        let two = LockHolder(run: "two", process: here, since: Timestamp(milliseconds: 6))
        _ = try await journal.begin(try start("two"), [.lock(keys: ["a"], two)])
    }
}
