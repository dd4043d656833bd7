import CloudModel
import Foundation
import Journal
import SQLite
import Testing

struct DamageTests {
    /// A copy of a folder's journal with one statement run on it.
    private func copy(_ folder: Folder, _ change: String) throws -> Folder {
        let copy = Folder()
        try FileManager.default.createDirectory(
            atPath: copy.path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Connection(.file(folder.file)).execute("VACUUM INTO '\(copy.file)'")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: copy.file)
        try Connection(.file(copy.file)).execute(change)
        return copy
    }

    @Test(arguments: [
        ("UPDATE events SET body = x'00' WHERE number = 2", "event 2 of the run does not fit"),
        ("UPDATE events SET hash = x'00' WHERE number = 2", "event 2 of the run does not fit"),
        ("UPDATE events SET number = 17 WHERE number = 2", "event 2 of the run does not fit"),
        ("DELETE FROM events WHERE number = 0", "event 0 of the run does not fit"),
        (
            "DELETE FROM events WHERE number >= 3",
            "events are missing at the end of the run: 3 of 5 are there"
        ),
        ("UPDATE runs SET events = 4", "the run has 5 events where 4 were written"),
        (
            "UPDATE runs SET head = zeroblob(32)",
            "the last event of the run is not the one that was written"
        ),
    ])
    func `a chain shows any change, a missing end too`(change: String, words: String) async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        for index in 0..<5 {
            try await journal.write([.event(Array("{\"n\":\(index)}".utf8))], run: run.key)
        }
        let damaged = try copy(folder, change)
        let error = await #expect(throws: JournalError.self) {
            _ = try await damaged.journal().verifyChain(run: run.key)
        }
        #expect(error?.code == .chainBroken)
        #expect(error?.reason == words)
    }

    @Test(arguments: [
        "UPDATE runs SET environment = 'moon'", "UPDATE runs SET containers = 'not one'",
        "UPDATE runs SET stage = 9", "UPDATE runs SET rehearsal = 2",
        "UPDATE seen SET scope = 3", "UPDATE seen SET kind = 99", "UPDATE seen SET container = -1",
        "UPDATE seen SET kept = 2", "UPDATE steps SET kind = 99", "UPDATE steps SET state = 17",
        "UPDATE steps SET outcomes = x'0001'", "UPDATE steps SET outcomes = x'010109'",
        "UPDATE steps SET outcomes = x'010101'", "UPDATE steps SET failed = 9",
        "UPDATE fences SET scope = 'moon'", "UPDATE fences SET container = ''",
        "UPDATE failures SET scope = 3",
    ])
    func `a damaged value is an error, never a default`(change: String) async throws {
        let folder = Folder()
        let run = try await folder.journal().begin(
            try start("one"),
            [
                .seen(.planned, [row(.zone, zone: "z")]), .planLines([planLine(0)]),
                .fences(try address(), zones: [RecordZone.ID("z")]),
                .failures([
                    FailureRow(
                        container: 0, scope: .public, kind: "k", name: "n", code: "c", reason: "")
                ]),
            ]
        ).key
        let journal = try copy(folder, change).journal()
        var errors: [JournalError] = []
        let reads: [() async throws -> Void] = [
            { _ = try await journal.runs(limit: 9) },
            { _ = try await journal.seen(run: run, in: .planned, after: nil, limit: 9) },
            { _ = try await journal.seenCounts(run: run, in: .planned) },
            {
                _ = try await journal.steps(
                    run: run, container: 0, scope: .private, from: 0,
                    in: Set(StepState.allCases), limit: 9)
            }, { _ = try await journal.stepSums(run: run) },
            { _ = try await journal.fences(limit: 9) },
            { _ = try await journal.failures(run: run, limit: 9) },
        ]
        for read in reads {
            do { try await read() } catch let error as JournalError { errors.append(error) }
        }
        #expect(!errors.isEmpty)
        #expect(errors.allSatisfy { $0.code == .corrupt && $0.reason.contains("journal.sqlite") })
    }

    @Test(arguments: [
        Data("not a database, but long enough to be taken for one".utf8),
        Data(repeating: 0xA5, count: 8192),
    ])
    func `a file that is no journal is refused with its name`(content: Data) async throws {
        let folder = Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try content.write(to: URL(fileURLWithPath: folder.file))
        let error = await #expect(throws: JournalError.self) {
            _ = try await folder.journal().runs(limit: 1)
        }
        #expect(error?.code == .corrupt)
        #expect(error?.reason.contains("journal.sqlite") == true)
    }

    @Test func `a database of another program is refused and left alone`() async throws {
        let folder = Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        do {
            let other = try Connection(.file(folder.file))
            try other.execute("CREATE TABLE theirs(a); INSERT INTO theirs VALUES (1)")
        }
        let error = await #expect(throws: JournalError.self) {
            _ = try await folder.journal().begin(try start("one"), [])
        }
        #expect(error?.code == .corrupt)
        #expect(try Connection(.file(folder.file)).rows("SELECT a FROM theirs").count == 1)
    }

    @Test func `a journal of a newer version is refused`() async throws {
        let folder = Folder()
        _ = try await folder.journal().begin(try start("one"), [])
        try Connection(.file(folder.file)).execute("PRAGMA user_version = 99")
        let error = await #expect(throws: JournalError.self) {
            _ = try await folder.journal().runs(limit: 1)
        }
        #expect(error?.code == .newerVersion)
        #expect(error?.reason.contains("version 99") == true)
    }

    @Test func `a torn page is an error, never a wrong answer`() async throws {
        let folder = Folder()
        do {
            let journal = folder.journal()
            let run = try await journal.begin(try start("one"), [])
            for start in stride(from: 0, to: 3000, by: 100) {
                try await journal.write(
                    [
                        .seen(
                            .fresh,
                            (start..<start + 100).map {
                                row(.zone, zone: "zone \($0)")
                            })
                    ], run: run.key)
            }
        }
        try Connection(.file(folder.file)).checkpoint(.truncate)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file))
        let size = try handle.seekToEnd()
        for page in stride(from: 20, to: Int(size) / 4096, by: 1) {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0xFF, count: 100))
        }
        try handle.close()
        let error = await #expect(throws: JournalError.self) {
            _ = try await folder.journal().seenCounts(run: 1, in: .fresh)
        }
        #expect(error?.code == .corrupt)
    }

    @Test func `a write that fails names the file`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        try Connection(.file(folder.file)).execute("DROP TABLE notes")
        let error = await #expect(throws: JournalError.self) {
            try await journal.write([.note(key: "k", value: [1])], run: run.key)
        }
        #expect(error?.reason.contains(folder.file) == true, "\(error?.reason ?? "")")
    }
}
