import Basics
import FileSystem
import Foundation
import Journal
import SQLite
import Testing
import ToolRunner

struct LockTests {
    @Test func `S15 the lock of a dead process is taken over`() async throws {
        let folder = Folder()
        let first = folder.journal()
        _ = try await first.begin(
            try start("one"), [.lock(keys: ["a"], holder("one", pid: 1))])
        await first.close()
        let later = folder.journal(isAlive: { $0.pid != 1 })
        _ = try await later.begin(
            try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
        await #expect(throws: JournalError.self) {
            _ = try await later.begin(
                try start("three"), [.lock(keys: ["a"], holder("three", pid: 3))])
        }
    }

    @Test func `S15 who goes on with a run has all of its locks`() async throws {
        let folder = Folder()
        let first = folder.journal()
        let run = try await first.begin(
            try start("one"), [.lock(keys: ["a", "b"], holder("one", pid: 1))])
        await first.close()
        let later = folder.journal(isAlive: { $0.pid != 1 })
        try await later.write([.lock(keys: ["a"], holder("one", pid: 2))], run: run.key)
        try await later.write([.note(key: "k", value: [])], run: run.key)
        let error = await #expect(throws: JournalError.self) {
            _ = try await folder.journal().begin(
                try start("two"), [.lock(keys: ["b"], holder("two", pid: 3))])
        }
        #expect(error?.code == .locked && error?.holder?.process.pid == 2)
        try await later.write([.unlock], run: run.key)
        _ = try await folder.journal().begin(
            try start("two"), [.lock(keys: ["a", "b"], holder("two", pid: 3))])
    }

    @Test func `S15 a locked file is believed, whatever is said of its process`() async throws {
        let folder = Folder()
        let first = folder.journal()
        _ = try await first.begin(
            try start("one"), [.lock(keys: ["a"], holder("one", pid: 1))])
        let later = folder.journal(isAlive: { _ in false })
        let error = await #expect(throws: JournalError.self) {
            _ = try await later.begin(
                try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
        }
        #expect(error?.code == .locked && error?.holder?.run == "one")
    }

    @Test func `S15 a holder that was taken for gone writes nothing any more`() async throws {
        let folder = Folder()
        let first = folder.journal()
        let run = try await first.begin(
            try start("one"),
            [.lock(keys: ["a", "run one"], holder("one", pid: 1)), .planLines([planLine(0)])])
        // Somebody tidied up, and the first one's process cannot be seen.
        try FileManager.default.removeItem(atPath: folder.path + "/locks")
        let second = folder.journal(isAlive: { _ in false })
        let next = try await second.begin(
            try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
        for change: JournalChange in [
            .note(key: "k", value: []), .step(number: 0, to: .intended, StepOutcome(pending: 3)),
            .event([1]), .unlock,
        ] {
            let error = await #expect(throws: JournalError.self) {
                try await first.write([change], run: run.key)
            }
            #expect(error?.code == .fenced)
        }
        await #expect(throws: JournalError.self) {
            _ = try await first.claim(run: run.key, container: 0, scope: .private, limit: 1)
        }
        #expect(try await second.note(run: run.key, key: "k") == nil)
        #expect(try await second.verifyChain(run: run.key).count == 0)
        try await second.write([.note(key: "k", value: [])], run: next.key)
    }

    @Test func `every lock has a higher token than all before`() async throws {
        let folder = Folder()
        var tokens: [Int64] = []
        for number in 0..<4 {
            let journal = folder.journal()
            let run = try await journal.begin(
                try start("\(number)"), [.lock(keys: ["a"], holder("\(number)", pid: 1))])
            let rows = try Connection(.file(folder.file)).rows("SELECT token FROM locks")
            tokens += rows.compactMap { $0[0].int64 }
            if number % 2 == 0 { try await journal.write([.unlock], run: run.key) }
            await journal.close()
            if number % 2 == 1 { try Connection(.file(folder.file)).execute("DELETE FROM locks") }
        }
        #expect(tokens == tokens.sorted() && Set(tokens).count == 4)
    }

    // MARK: Deciding

    static let here = ProcessIdentity(
        host: "h", boot: "b", namespace: "n", pid: 1, startTicks: 1)

    @Test(arguments: [
        (ProcessIdentity(host: "h", boot: "b", namespace: "n", pid: 9, startTicks: 9), "same"),
        // A container has a name of its own.
        (ProcessIdentity(host: "c", boot: "b", namespace: "n", pid: 9, startTicks: 9), "same"),
        (ProcessIdentity(host: "c", boot: "b", namespace: "m", pid: 9, startTicks: 9), "machine"),
        (ProcessIdentity(host: "h", boot: "b", namespace: "", pid: 9, startTicks: 9), "machine"),
        (ProcessIdentity(host: "h", boot: "a", namespace: "n", pid: 9, startTicks: 9), "earlier"),
        (ProcessIdentity(host: "c", boot: "a", namespace: "n", pid: 9, startTicks: 9), "elsewhere"),
        // Hidden.
        (
            ProcessIdentity(host: "h", boot: "unknown", namespace: "n", pid: 9, startTicks: 9),
            "machine"
        ),
        (
            ProcessIdentity(host: "c", boot: "unknown", namespace: "n", pid: 9, startTicks: 9),
            "elsewhere"
        ),
    ])
    func `S15 a lock is taken over only from who is known to be gone`(
        process: ProcessIdentity, place: String
    ) {
        let me = LockHolder(run: "me", process: Self.here, since: Timestamp(milliseconds: 2))
        let other = LockHolder(run: "o", process: process, since: Timestamp(milliseconds: 1))
        for file in [LockFile.Outcome.taken, .held, .unsupported] {
            for isAlive in [false, true] {
                let expected =
                    switch (file, place) {
                    case (.held, _): false
                    case (_, "same"): !isAlive
                    case (_, "machine"): file == .taken
                    case (_, "earlier"): true
                    default: false
                    }
                let mayTake = LockDecision.mayTake(file, other, me) { _ in isAlive }
                #expect(mayTake == expected, "\(file) \(place) alive: \(isAlive)")
            }
            #expect(LockDecision.mayTake(file, nil, me) { _ in true } == (file != .held))
            #expect(LockDecision.mayTake(file, me, me) { _ in true } == (file != .held))
            // Nothing but the file tells this process from one of the same number before it.
            let before = LockHolder(run: "o", process: Self.here, since: me.since)
            #expect(LockDecision.mayTake(file, before, me) { _ in true } == (file == .taken))
        }
    }

    @Test func `two processes that both know nothing of their machine are on one`() {
        let hidden = ProcessIdentity(
            host: "h", boot: "unknown", namespace: "n", pid: 1, startTicks: 1)
        #expect(hidden.nearness(to: hidden) == .sameProcesses)
    }

    @Test func `this process is alive, one before it under the same number is not`() {
        let me = ProcessIdentity.current()
        #expect(me.startTicks > 0)
        #expect(me.namespace.hasPrefix("pid:["))
        #expect(me.seemsAlive())
        let older = ProcessIdentity(
            host: me.host, boot: me.boot, namespace: me.namespace, pid: me.pid,
            startTicks: me.startTicks - 1)
        #expect(!older.seemsAlive())
        let beforeRestart = ProcessIdentity(
            host: me.host, boot: "another", namespace: me.namespace, pid: me.pid,
            startTicks: me.startTicks)
        #expect(!beforeRestart.seemsAlive())
        let elsewhere = ProcessIdentity(
            host: "elsewhere", boot: "another", pid: 1, startTicks: 1)
        #expect(elsewhere.seemsAlive())
        // The first process runs, and when it was started could not be read.
        let hidden = ProcessIdentity(
            host: me.host, boot: me.boot, namespace: me.namespace, pid: 1, startTicks: 0)
        #expect(hidden.seemsAlive())
        // No process has such a number, whatever can be read.
        let nobody = ProcessIdentity(
            host: me.host, boot: me.boot, namespace: me.namespace, pid: .max, startTicks: 0)
        #expect(!nobody.seemsAlive())
    }

    /// What a killed run leaves until whoever started it asks for its end.
    @Test func `S15 a process that ended, though nobody waited for it, is gone`() async throws {
        let child = try ChildProcess("true", [])
        defer { child.wait() }
        await child.ended()
        let stat = try String(
            contentsOfFile: "/proc/\(child.identifier)/stat", encoding: .utf8
        ).split(separator: " ")
        let here = ProcessIdentity.current()
        let process = ProcessIdentity(
            host: here.host, boot: here.boot, namespace: here.namespace, pid: child.identifier,
            startTicks: try #require(Int64(stat[21])))
        #expect(!process.seemsAlive())
    }
}
