import CloudModel
import Foundation
import Journal
import SQLite
import Testing

struct DamageTests {
    @Test func `events form a chain that shows any change`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        let run = try await journal.begin(try start("one"), [])
        for index in 0..<5 {
            try await journal.write([.event(Array("{\"n\":\(index)}".utf8))], run: run.key)
        }
        #expect(try await journal.verifyChain(run: run.key).count == 5)
        let tampered = ["body = x'00'", "hash = x'00'", "number = 17"]
        for change in tampered {
            let copy = Folder()
            try FileManager.default.createDirectory(
                atPath: copy.path, withIntermediateDirectories: true)
            try Connection(.file(folder.file)).execute("VACUUM INTO '\(copy.file)'")
            try Connection(.file(copy.file)).execute(
                "UPDATE events SET \(change) WHERE number = 2")
            let error = await #expect(throws: JournalError.self) {
                _ = try await copy.journal().verifyChain(run: run.key)
            }
            #expect(error?.code == .chainBroken)
        }
    }

    @Test func `a chain goes on where it was after opening again`() async throws {
        let folder = Folder()
        let run = try await folder.journal().begin(try start("one"), [.event([1])])
        try await folder.journal().write([.event([2])], run: run.key)
        #expect(try await folder.journal().verifyChain(run: run.key).count == 2)
    }

    @Test(arguments: [
        Data("not a database, but long enough to be taken for one".utf8),
        Data(repeating: 0xA5, count: 8192),
    ])
    func `a file that is no journal is refused with its name`(content: Data) async throws {
        let folder = Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
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
            atPath: folder.path, withIntermediateDirectories: true)
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
        await #expect(throws: JournalError.self) {
            _ = try await folder.journal().runs(limit: 1)
        }
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
                            pass: 1,
                            (start..<start + 100).map {
                                SeenRow(container: 0, scope: 0, kind: 2, zone: "zone \($0)")
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
            _ = try await folder.journal().seenCounts(run: 1, pass: 1)
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
