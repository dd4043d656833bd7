import Basics
import CloudModel
import Foundation
import InProcessMock
import MockStore
import SQLite
import Testing

/// Snapshot files of random data, and what is refused.
@Suite(.timeLimit(.minutes(30))) struct SnapshotFileTests {
    /// Where two lists first differ.
    private static func difference(_ one: [String], _ other: [String]) -> String {
        guard let pair = zip(one, other).first(where: { $0 != $1 }) else { return "one is longer" }
        return "\(pair.0.prefix(400))\nand\n\(pair.1.prefix(400))"
    }

    // MARK: - Round trips

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `what was restored is saved again with the same rows`(seed: UInt64) throws {
        var run = try ModelTests.Run(seed: seed, options: MockOptions())
        for step in 0..<200 {
            try run.step()
            if step % 50 == 49 { try Self.checkRoundTrip(run.world, "seed \(seed), step \(step)") }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `what was restored of shares is saved again with the same rows`(seed: UInt64) throws {
        var run = try SharingRun(seed: seed)
        for step in 0..<200 {
            try run.step()
            if step % 50 == 49 { try Self.checkRoundTrip(run.world, "seed \(seed), step \(step)") }
        }
    }

    private static func checkRoundTrip(_ world: World, _ place: String) throws {
        let file = try world.cloud.snapshotFile()
        #expect(try world.cloud.snapshotFile() == file, "\(place): saved twice")
        let data = try file.data()
        // Another seed, as names are the file's.
        let other = try World(seed: 99)
        try other.cloud.restore(file)
        let again = try other.cloud.snapshotFile().data()
        #expect(again == data, "\(place): \(difference(data, again))")
        // Where there was something else before.
        let used = try World(seed: 98)
        try used.ada.create("Before")
        try used.ada.put("gone", zone: "Before")
        try used.cloud.restore(file)
        let third = try used.cloud.snapshotFile().data()
        #expect(third == data, "\(place): \(difference(data, third))")
        // What the background has still to remove is in no file.
        while try world.cloud.withStore({ try $0.purgeSome() }) {}
        #expect(try world.cloud.snapshotFile() == file, "\(place): after the purge")
    }

    /// Clients go on with the tokens that they had.
    @Test(arguments: [(11, 0), (12, 2), (13, 0), (14, 1)] as [(UInt64, Int)])
    func `a restored store does what a naive model says`(seed: UInt64, emptyPages: Int) throws {
        var options = MockOptions()
        options.emptyPages = emptyPages
        var run = try ModelTests.Run(seed: seed, options: options)
        for _ in 0..<3 {
            for _ in 0..<150 { try run.step() }
            try run.moveToSnapshotFile()
        }
        for _ in 0..<150 { try run.step() }
        try run.finish()
    }

    /// A row of a new table is read, or the table is added to `RowCopy.leftOut` and here, with a reason.
    @Test func `the rows of every table are read, except for three kinds`() throws {
        let cloud = try World().cloud
        let file = try cloud.snapshotFile()
        let tables = try file.rows(
            of: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        var ignored: Set<String> = []
        for table in tables.compactMap({ $0[0].string }) where table != "seal" {
            let columns = try file.rows(of: "SELECT name FROM pragma_table_info('\(table)')")
            let values = columns.map { _ in "'70001'" }.joined(separator: ", ")
            let edited = try file.edited("INSERT INTO \(table) VALUES (\(values))")
            do { try cloud.restore(edited) } catch { continue }
            ignored.insert(table)
        }
        #expect(
            ignored == [
                // Data of deleted zones, uploads that no record has, and assets that none has.
                "doomed", "uploads", "assets",
                // The server's own credentials.
                "spent_runs", "spent_tokens", "expired_web_tokens",
                // Of which three keys are read.
                "meta",
            ])
    }

    // MARK: - Tokens

    /// A world with a zone of two records, and tokens of its feed.
    private func journal() throws -> (world: World, tokens: [ChangeToken]) {
        let world = try World()
        try world.ada.create("Notes")
        var tokens: [ChangeToken] = []
        for name in ["one", "two"] {
            try world.ada.put(name, ["n": .int64(1)])
            tokens.append(try world.ada.drain(nil, zone: "Notes", limit: 200).token)
        }
        return (world, tokens)
    }

    /// The response to a token: the names of the changed records, or the error's code.
    private func answer(_ token: ChangeToken, _ world: World) throws -> String {
        do {
            return try world.ada.feed(token).records.map { item in
                switch item {
                case .record(let record): record.id.recordName
                case .deleted(let name, _): "-" + name
                case .failure(let name, _): "?" + name
                }
            }.joined(separator: " ")
        } catch let error as CloudError {
            return error.code.rawValue
        }
    }

    @Test
    func `tokens from before the file was saved go on in a new server, later ones are expired`()
        throws
    {
        let (origin, tokens) = try journal()
        let file = try origin.cloud.snapshotFile()
        try origin.ada.put("three")
        let later = try origin.ada.drain(nil, zone: "Notes", limit: 200).token
        let world = try World(seed: 8)
        try world.cloud.restore(file)
        #expect(try answer(tokens[0], world) == "two")
        #expect(try answer(tokens[1], world) == "")
        #expect(try answer(later, world) == "BAD_REQUEST")
        try world.ada.put("other")
        try world.ada.put("more")
        #expect(try answer(tokens[1], world) == "other more")
        // It would be caught up with two records less, if it were taken for one of this server's.
        #expect(try answer(later, world) == "BAD_REQUEST")
    }

    @Test func `no token from before a restore is valid where there were others`() throws {
        let (origin, tokens) = try journal()
        let (used, own) = try journal()
        try used.ada.put("own")
        let last = try used.ada.drain(nil, zone: "Notes", limit: 200).token
        try used.cloud.restore(try origin.cloud.snapshotFile())
        for token in tokens + own + [last] {
            #expect(try answer(token, used) == "BAD_REQUEST")
        }
        let now = try used.ada.drain(nil, zone: "Notes", limit: 200).token
        #expect(try answer(now, used) == "")
    }

    @Test func `a token issued between a restore and an unchanged file stays valid`() throws {
        let (origin, _) = try journal()
        let first = try World(seed: 8)
        try first.cloud.restore(try origin.cloud.snapshotFile())
        let token = try first.ada.drain(nil, zone: "Notes", limit: 200).token
        let second = try World(seed: 9)
        try second.cloud.restore(try first.cloud.snapshotFile())
        try second.ada.put("new")
        #expect(try answer(token, second) == "new")
        // What the first server did on its own is none of it.
        try first.ada.put("elsewhere")
        let late = try first.ada.drain(nil, zone: "Notes", limit: 200).token
        #expect(try answer(late, second) == "BAD_REQUEST")
    }

    // MARK: - What is refused

    /// What is done to a file, and what the error says.
    private static let edits: [(sql: String, reason: String)] = [
        ("PRAGMA application_id = 7", "this is not a snapshot file"),
        ("PRAGMA user_version = 99", "written by another version"),
        ("DROP TABLE seal; CREATE TABLE seal (sha256)", "written by another version"),
        ("DROP TABLE records", "do not match their digest"),
        (
            "ALTER TABLE users RENAME TO others; CREATE VIEW users AS SELECT * FROM others",
            "written by another version"
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON users BEGIN DELETE FROM users; END",
            "written by another version"
        ),
        ("DELETE FROM seal", "not sealed"),
        ("INSERT INTO seal SELECT * FROM seal", "not sealed"),
        ("UPDATE seal SET sha256 = zeroblob(32)", "do not match their digest"),
        ("UPDATE seal SET settings = '{\"options\":{}}'", "do not match their digest"),
        ("DELETE FROM users", "do not match their digest"),
        ("UPDATE users SET created = created + 1", "do not match their digest"),
        ("UPDATE zones SET seq = 'x'", "do not match their digest"),
        ("UPDATE zones SET seq = 9223372036854775807", "do not match their digest"),
        ("DELETE FROM records WHERE name = 'two'", "do not match their digest"),
        ("UPDATE records SET body = zeroblob(1000000) WHERE name = 'two'", "digest"),
        ("UPDATE meta SET value = 9 WHERE key = 'incarnation'", "do not match their digest"),
    ]

    @Test(arguments: edits.indices)
    func `an edited file is refused, and changes nothing`(edit: Int) throws {
        let (sql, reason) = Self.edits[edit]
        let (origin, _) = try journal()
        let file = try origin.cloud.snapshotFile().edited(sql)
        let (world, tokens) = try journal()
        let before = try world.cloud.snapshotFile()
        let refusal = try #require(throws: MockStoreError.self) { try world.cloud.restore(file) }
        #expect(refusal.description.contains(reason), "\(sql): \(refusal)")
        #expect(try world.cloud.snapshotFile() == before)
        #expect(try answer(tokens[0], world) == "two")
        try world.ada.put("goes on")
    }

    @Test func `a file that was truncated, or damaged in any place, is refused or means the same`()
        throws
    {
        let (origin, _) = try journal()
        let file = try origin.cloud.snapshotFile()
        let data = try file.data()
        let world = try World(seed: 8)
        let before = try world.cloud.snapshotFile()
        for end in stride(from: 0, to: file.bytes.count, by: 1999) {
            #expect(throws: MockStoreError.self, "truncated to \(end)") {
                try world.cloud.restore(SnapshotBytes(Array(file.bytes[..<end])))
            }
        }
        #expect(try world.cloud.snapshotFile() == before)
        var refused = 0
        for place in stride(from: 0, to: file.bytes.count, by: 613) {
            var damaged = file
            damaged.bytes[place] ^= 0x55
            let other = try World(seed: 8)
            do {
                try other.cloud.restore(damaged)
                // In a part of a page that is not used.
                #expect(try other.cloud.snapshotFile().data() == data, "damaged at \(place)")
            } catch {
                #expect(try other.cloud.snapshotFile() == before, "damaged at \(place)")
                refused += 1
            }
        }
        #expect(refused > 10)
    }

    @Test(arguments: [
        ("", "this is not a snapshot file"),
        ("some text that is no database", "not a snapshot file"),
        (#"{"archive":{"format":1}}"#, "archives of earlier versions cannot be read"),
    ])
    func `other files are refused`(text: String, reason: String) throws {
        let world = try World()
        let refusal = try #require(throws: MockStoreError.self) {
            try world.cloud.restore(SnapshotBytes(Array(text.utf8)))
        }
        #expect(refusal.description.contains(reason), "\(refusal)")
    }

    /// Parts of the names that the service gives to records that an asset is uploaded for: of each number that was drawn the
    /// digits that a UUID does not change.
    private func drawnDigits(_ world: World) throws -> [String] {
        let tokens = (0..<20).map { _ in
            AssetUploadRequest.Token(recordType: "Note", fieldName: "photo")
        }
        let request = AssetUploadRequest(tokens, zoneID: RecordZone.ID("Notes"))
        guard case .assetUploads(let items) = try world.ada.ask(.write(.uploadAssets(request)))
        else { throw Odd() }
        return items.flatMap { item -> [String] in
            guard case .address(let field, _) = item else { return [] }
            let digits = Array(field.recordName.filter { $0 != "-" })
            return [String(digits[4..<12]), String(digits[20..<28])]
        }
    }

    @Test func `servers with one seed draw different names after a restore`() throws {
        let (origin, _) = try journal()
        let file = try origin.cloud.snapshotFile()
        let (world, other) = (try World(), try World())
        for world in [world, other] { try world.cloud.restore(file) }
        let digits = try drawnDigits(world)
        #expect(try digits.count == 40 && drawnDigits(other) == digits)
        #expect(try Set(digits).isDisjoint(with: drawnDigits(origin)))
    }

    // MARK: - What stays

    @Test func `a file replaces named snapshots, and a refused one does not`() throws {
        let (origin, _) = try journal()
        let file = try origin.cloud.snapshotFile()
        let (world, _) = try journal()
        let name = try world.cloud.snapshot()
        try world.ada.put("after")
        #expect(throws: MockStoreError.self) {
            try world.cloud.restore(SnapshotBytes(file.bytes.dropLast(20)))
        }
        try world.cloud.restore(name)
        #expect(try world.ada.lookUp("after").first?.record == nil)
        try world.cloud.restore(file)
        #expect(throws: (any Error).self) { try world.cloud.restore(name) }
        let other = try world.cloud.snapshot()
        try world.ada.put("later")
        try world.cloud.restore(other)
        #expect(try world.ada.lookUp("later").first?.record == nil)
        #expect(try world.ada.lookUp("two").first?.record != nil)
    }

    @Test func `requests are answered while a file is read`() throws {
        let (origin, _) = try journal()
        let file = try origin.cloud.snapshotFile()
        let world = try World(seed: 8)
        try world.ada.create("Before")
        try file.inFile { path in
            try world.cloud.withStore { store in
                let job = RestoreJob(try store.reader(ofFile: path))
                #expect(try job.runSlice(store))
                // Neither is lost: the token is used, and the job waits for the end of the turn.
                try store.spend(.made(7))
                #expect(try job.runSlice(store))
                try store.addUser(MockUser("eve"))
                #expect(try job.runSlice(store))
                #expect(store.users.map(\.name).contains("eve"))
                #expect(throws: MockStoreError.self) { try job.finish(store) }
            }
            #expect(try world.ada.listedNames().contains("Before"))
            try world.cloud.restore(file)
            #expect(try world.cloud.withStore { $0.isSpent(.made(7)) })
            #expect(try !world.ada.listedNames().contains("Before"))
        }
    }
}
