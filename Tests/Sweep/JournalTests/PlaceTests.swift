import Foundation
import Journal
import Testing

/// Where a journal may be, and what may be in its place.
@Suite(.timeLimit(.minutes(30)))
struct PlaceTests {
    private func made(mode: Int = 0o700) throws -> Folder {
        let folder = Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.path)
        return folder
    }

    private func refusal(_ folder: Folder, readOnly: Bool) async -> JournalError? {
        await #expect(throws: JournalError.self) {
            _ = try await folder.journal(readOnly: readOnly).runs(limit: 1)
        }
    }

    @Test(arguments: [0o777, 0o755, 0o750, 0o701, 0o720], [true, false])
    func `a folder that others can look into or change is refused`(
        mode: Int, readOnly: Bool
    ) async throws {
        let folder = try made()
        _ = try await folder.journal().begin(try start("one"), [])
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.path)
        let error = await refusal(folder, readOnly: readOnly)
        #expect(error?.code == .notPrivate)
        #expect(error?.reason.contains("0\(String(mode, radix: 8))") == true)
        #expect(error?.reason.contains("chmod 700 \(folder.path)") == true)
    }

    /// As a state folder is one within another for rehearsals. `/tmp`, which is sticky, is no such
    /// place: every other test is in it.
    @Test func `a folder that others could replace is refused, also when it is made just now`()
        async throws
    {
        let folder = try made()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let inner = SQLiteJournal(folder: folder.path + "/rehearsal")
        await #expect {
            _ = try await inner.begin(try start("one"), [])
        } throws: { error in
            (error as? JournalError)?.code == .notPrivate
        }
    }

    /// As several commands with one state folder that is new.
    @Test func `of several that create one journal at once, each has it`() async throws {
        for round in 1...60 {
            let folder = try made()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 {
                    group.addTask {
                        _ = try await folder.journal().begin(
                            try start("\(round)-\(number)"), [])
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await folder.journal().runs(limit: 100).count == 8)
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: [true, false])
    func `another user's folder is refused`(readOnly: Bool) async throws {
        let folder = try made()
        try FileManager.default.setAttributes(
            [.ownerAccountID: 12_345], ofItemAtPath: folder.path)
        let error = await refusal(folder, readOnly: readOnly)
        #expect(error?.code == .notPrivate)
        #expect(error?.reason.contains("12345") == true)
    }

    @Test(arguments: ["journal.sqlite", "journal.sqlite-wal"], [true, false])
    func `a pipe in place of a file is refused, and not waited for`(
        name: String, readOnly: Bool
    ) async throws {
        let folder = try made()
        #expect(mkfifo(folder.path + "/" + name, 0o600) == 0)
        let error = await refusal(folder, readOnly: readOnly)
        #expect(error?.code == .notPrivate)
        #expect(error?.reason.contains(name) == true)
    }

    @Test(arguments: [true, false])
    func `a device or a folder in place of the journal is refused`(readOnly: Bool) async throws {
        let (device, folder) = (try made(), try made())
        try FileManager.default.createSymbolicLink(
            atPath: device.file, withDestinationPath: "/dev/zero")
        try FileManager.default.createDirectory(
            atPath: folder.file, withIntermediateDirectories: false)
        for place in [device, folder] {
            #expect(await refusal(place, readOnly: readOnly)?.code == .notPrivate)
        }
    }

    @Test func `a pipe in place of the locks is refused, and not waited for`() async throws {
        let folder = try made()
        #expect(mkfifo(folder.path + "/locks", 0o600) == 0)
        let error = await #expect(throws: JournalError.self) {
            _ = try await folder.journal().begin(
                try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
        }
        #expect(error?.code == .cannotOpen)
    }

    @Test func `every file of a journal is its owner's only, and names nobody`() async throws {
        let folder = Folder()
        let journal = folder.journal()
        _ = try await journal.begin(
            try start("one"), [.lock(keys: ["person"], holder("one", pid: 1))])
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(files.count == 4, "\(files)")
        for name in files {
            let path = folder.path + "/" + name
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let mode = facts[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600
            #expect(facts[.posixPermissions] as? Int == mode, "\(name)")
            #expect(!name.contains("person"))
        }
    }
}
