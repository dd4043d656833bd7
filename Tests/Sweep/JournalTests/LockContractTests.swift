import Foundation
import Journal
import Testing

struct LockContractTests {
    @Test(arguments: JournalKind.all)
    func `S15 one run at a time, and a held lock says whose it is`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        _ = try await journal.begin(
            try start("one"), [.lock(keys: ["a", "b"], holder("one", pid: 1))])
        let other = kind.open(folder)
        // Of the same process, too.
        for (journal, pid) in [(journal, 1), (journal, 2), (other, 1), (other, 2)] {
            let error = await #expect(throws: JournalError.self) {
                _ = try await journal.begin(
                    try start("two"), [.lock(keys: ["b", "c"], holder("two", pid: Int32(pid)))])
            }
            #expect(error?.code == .locked)
            #expect(error?.holder?.run == "one")
            #expect(error?.holder?.process.pid == 1)
            #expect(error?.reason.contains("process 1 on here") == true)
        }
    }

    @Test(arguments: JournalKind.all)
    func `S15 a refused run leaves nothing behind and the journal usable`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let (journal, other) = (kind.open(folder), kind.open(folder))
        _ = try await journal.begin(
            try start("one"), [.lock(keys: ["b"], holder("one", pid: 1))])
        await #expect(throws: JournalError.self) {
            _ = try await other.begin(
                try start("two"), [.lock(keys: ["a", "b"], holder("two", pid: 2))])
        }
        // "a" was not kept by the refused run.
        for journal in [other, kind.open(folder)] {
            let run = try await journal.begin(
                try start(UUID().uuidString), [.lock(keys: ["a"], holder("x", pid: 3))])
            try await journal.write([.unlockAll(of: "x")], run: run.key)
        }
        #expect(try await journal.runs(limit: 9).count == 3)
    }

    @Test(arguments: JournalKind.all)
    func `a lock is free again after the run, and the next one's is another`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await journal.begin(
            try start("one"), [.lock(keys: ["a"], holder("one", pid: 1))])
        try await journal.write([.lock(keys: ["b"], holder("one", pid: 1))], run: run.key)
        try await journal.write([.unlock], run: run.key)
        let other = kind.open(folder)
        let next = try await other.begin(
            try start("two"), [.lock(keys: ["a", "b"], holder("two", pid: 2))])
        // The end of the first takes nothing from the second.
        try await journal.write([.unlock], run: run.key)
        try await other.write([.note(key: "k", value: [])], run: next.key)
        await #expect(throws: JournalError.self) {
            _ = try await kind.open(folder).begin(
                try start("three"), [.lock(keys: ["b"], holder("three", pid: 3))])
        }
    }

    @Test(arguments: JournalKind.all)
    func `S15 while a run is locked, nobody else writes to it`(kind: JournalKind) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await journal.begin(
            try start("one"), [.lock(keys: ["a"], holder("one", pid: 1))])
        let other = kind.open(folder)
        let error = await #expect(throws: JournalError.self) {
            try await other.write([.note(key: "k", value: [])], run: run.key)
        }
        #expect(error?.code == .fenced)
        #expect(try await journal.note(run: run.key, key: "k") == nil)
        // The other one can go on with what is its own.
        _ = try await other.begin(try start("two"), [.note(key: "k", value: [])])
        try await journal.write([.note(key: "k", value: [])], run: run.key)
    }

    @Test(arguments: JournalKind.all)
    func `steps are claimed once, and only by who may write to the run`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await journal.begin(
            try start("one"),
            [
                .planLines((0..<5).map { planLine($0) } + [planLine(5, scope: .public)]),
                .lock(keys: ["a"], holder("one", pid: 1)),
            ]
        ).key
        var numbers: [Int] = []
        for count in [2, 2, 1, 0] {
            let claimed = try await journal.claim(
                run: run, container: 0, scope: .private, limit: 2)
            #expect(claimed.count == count && claimed.allSatisfy { $0.state == .planned })
            numbers += claimed.map(\.number)
        }
        #expect(numbers == [0, 1, 2, 3, 4])
        let intended = try await journal.steps(
            run: run, container: 0, scope: .private, from: 0, in: [.intended], limit: 9)
        #expect(intended.map(\.number) == numbers)
        let error = await #expect(throws: JournalError.self) {
            _ = try await kind.open(folder).claim(
                run: run, container: 0, scope: .public, limit: 1)
        }
        #expect(error?.code == .fenced)
    }
}
