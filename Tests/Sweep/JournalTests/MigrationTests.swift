import Basics
import CloudModel
import Foundation
import Journal
import OpenSSL
import SQLite
import Testing

struct MigrationTests {
    /// The tables as version 1 made them.
    static let tables = """
        CREATE TABLE runs(
          key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, verb TEXT NOT NULL,
          environment TEXT NOT NULL, containers TEXT NOT NULL, began INTEGER NOT NULL,
          ended INTEGER, stage INTEGER NOT NULL DEFAULT 0, subjects TEXT NOT NULL DEFAULT '',
          plan_digest TEXT, plan_header BLOB, plan_footer BLOB, allow_partial TEXT,
          status INTEGER, report BLOB);
        CREATE TABLE seen(
          run INTEGER NOT NULL, pass INTEGER NOT NULL, container INTEGER NOT NULL,
          scope INTEGER NOT NULL, kind INTEGER NOT NULL, zone TEXT NOT NULL, type TEXT NOT NULL,
          name TEXT NOT NULL, detail INTEGER NOT NULL,
          PRIMARY KEY(run, pass, container, scope, kind, zone, type, name)) WITHOUT ROWID;
        CREATE TABLE plan_lines(
          run INTEGER NOT NULL, number INTEGER NOT NULL, line BLOB NOT NULL,
          PRIMARY KEY(run, number));
        CREATE TABLE steps(
          run INTEGER NOT NULL, number INTEGER NOT NULL, container INTEGER NOT NULL,
          scope INTEGER NOT NULL, kind INTEGER NOT NULL, items INTEGER NOT NULL,
          state INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
          deleted INTEGER NOT NULL DEFAULT 0, gone INTEGER NOT NULL DEFAULT 0,
          failed INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY(run, number)) WITHOUT ROWID;
        CREATE INDEX steps_by_database ON steps(run, container, scope, number);
        CREATE TABLE failures(
          run INTEGER NOT NULL, container INTEGER NOT NULL, scope INTEGER NOT NULL,
          kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL,
          PRIMARY KEY(run, container, scope, kind, name)) WITHOUT ROWID;
        CREATE TABLE events(
          run INTEGER NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL,
          PRIMARY KEY(run, number)) WITHOUT ROWID;
        CREATE TABLE notes(
          run INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
          PRIMARY KEY(run, key)) WITHOUT ROWID;
        CREATE TABLE fences(
          container TEXT NOT NULL, environment TEXT NOT NULL, scope TEXT NOT NULL,
          zone TEXT NOT NULL, run INTEGER NOT NULL,
          PRIMARY KEY(container, environment, scope, zone)) WITHOUT ROWID;
        CREATE TABLE used_plans(
          digest TEXT PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE locks(
          key TEXT PRIMARY KEY, run TEXT NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL,
          pid INTEGER NOT NULL, ticks INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID;
        PRAGMA application_id = 0x636B736A;
        PRAGMA user_version = 1;
        PRAGMA journal_mode = WAL;
        """

    static let rows = """
        INSERT INTO runs VALUES(3, 'old', 'sweep', 'production', 'iCloud.a' || char(10) || 'iCloud.b',
          100, 200, 2, 'ua' || char(10) || 'ub', 'digest', x'01', x'02', 'why', 5, x'0303');
        INSERT INTO runs VALUES(4, 'bare', 'plan', 'development', 'iCloud.a', 300, NULL, 0, '',
          NULL, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO seen VALUES(3, 0, 1, 2, 0, 'zone', 'type', 'sub', 0);
        INSERT INTO seen VALUES(3, 0, 1, 0, 2, 'Notes', '', '', 2);
        INSERT INTO plan_lines VALUES(3, 0, x'AA'), (3, 1, x'AB'), (3, 2, x'AC'), (3, 3, x'AD'),
          (3, 4, x'AE');
        INSERT INTO steps VALUES(3, 0, 0, 0, 2, 5, 5, 2, 3, 2, 0), (3, 1, 0, 0, 4, 3, 3, 4, 1, 0, 2),
          (3, 2, 0, 0, 4, 2, 4, 6, 0, 0, 2), (3, 3, 0, 0, 4, 2, 0, 0, 0, 0, 0),
          (3, 4, 0, 0, 4, 2, 2, 9, 4, 3, 0);
        INSERT INTO failures VALUES(3, 0, 2, 'k', 'n', 'c', 'r');
        INSERT INTO notes VALUES(0, 'pseudonyms', x'0102'), (3, 'donations', x'31');
        INSERT INTO fences VALUES('iCloud.b', 'production', 'private', 'Notes', 3),
          ('iCloud.a', 'production', 'shared', 'Theirs' || char(10) || '_f', 9);
        INSERT INTO used_plans VALUES('digest', 3, 150);
        INSERT INTO locks VALUES('key', 'old', 'here', 'b', 1, 7, 5);
        """

    private func old(_ rows: String = rows) throws -> Folder {
        let folder = Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let connection = try Connection(.file(folder.file))
        try connection.execute(Self.tables)
        try connection.execute(rows)
        var head = [UInt8](repeating: 0, count: 32)
        for number in 0..<3 {
            head = SHA256.hash(head + [UInt8(number)])
            try connection.run(
                "INSERT INTO events VALUES (3, ?, ?, ?)", .integer(Int64(number)),
                .blob([UInt8(number)]), .blob(head))
        }
        return folder
    }

    @Test(arguments: [false, true])
    func `a journal of version 1 is brought forward, by whoever opens it`(
        readOnly: Bool
    ) async throws {
        let folder = try old()
        _ = try await folder.journal(readOnly: readOnly).runs(limit: 1)
        #expect(
            try Connection(.file(folder.file)).rows("PRAGMA user_version") == [[.integer(4)]])
        let journal = folder.journal(readOnly: readOnly)
        let run = try await journal.run(id: "old")
        #expect(run.key == 3 && run.environment == .production && run.stage == .deleting)
        #expect(run.containers.map(\.rawValue) == ["iCloud.a", "iCloud.b"])
        #expect(run.subjects == ["ua", "ub"] && run.status == 5 && run.allowPartial == "why")
        #expect(run.planDigest == "digest" && run.planHeader == [1] && run.planFooter == [2])
        #expect(run.server.isEmpty && !run.isRehearsal)
        #expect(run.serverKey == nil)
        #expect(try await journal.report(run: 3) == [3, 3])
        #expect(try await journal.run(id: "bare").planDigest == nil)
        #expect(try await journal.report(run: 4) == nil)
        #expect(try await journal.approval(run: 3)?.digest == "digest")
        #expect(try await journal.note(run: 3, key: "donations") == [0x31])
        #expect(try await journal.secretIfKept("pseudonyms") == [1, 2])
        #expect(try await journal.failures(run: 3, limit: 9).rows.map(\.name) == ["n"])
        #expect(try await journal.verifyChain(run: 3).count == 3)
        #expect(try await journal.verifyChain(run: 4).count == 0)
        let seen = try await journal.seen(run: 3, in: .planned, after: nil, limit: 9)
        #expect(
            seen == [
                SeenRow(container: 1, scope: .private, kind: .zone, zone: "Notes", detail: 2),
                SeenRow(
                    container: 1, scope: .public, kind: .subscription, zone: "zone", type: "type",
                    name: "sub"),
            ])
    }

    @Test func `of steps of version 1, what is not known of each item is asked again`()
        async throws
    {
        let journal = try old().journal()
        let steps = try await journal.steps(
            run: 3, container: 0, scope: .private, from: 0, in: Set(StepState.allCases), limit: 9)
        #expect(steps.map(\.state) == [.verified, .intended, .failed, .planned, .acknowledged])
        #expect(
            steps.map(\.outcome.items) == [
                [.deleted, .deleted, .deleted, .alreadyGone, .alreadyGone],
                [.pending, .pending, .pending], [.failed, .failed], [.pending, .pending],
                // Counted twice by version 1.
                [.deleted, .deleted],
            ])
        #expect(steps.map(\.line) == [[0xAA], [0xAB], [0xAC], [0xAD], [0xAE]])
        let sums = try await journal.stepSums(run: 3)
        #expect(sums.map(\.items.total) == [5, 9])
    }

    @Test func `S14 fences of version 1 stand`() async throws {
        let journal = try old().journal()
        let theirs = RecordZone.ID("Theirs", ownerRecordName: "_f")
        let place = { (name: String, scope: Database.Scope) in
            Database.Address(
                container: try containerID(name), environment: .production, scope: scope)
        }
        #expect(
            try await journal.isFenced(RecordZone.ID("Notes"), at: try place("iCloud.b", .private)))
        #expect(try await journal.isFenced(theirs, at: try place("iCloud.a", .shared)))
        let fences = try await journal.fences(limit: 9)
        #expect(fences.map(\.zone) == [theirs, RecordZone.ID("Notes")])
        #expect(fences.map(\.run) == ["", "old"])
        #expect(fences.map(\.user) == ["", "ub"])
        #expect(fences[1].at == Timestamp(milliseconds: 100))
    }

    @Test(arguments: [false, true])
    func `a journal of version 2 is brought forward, and its locks stand`(
        readOnly: Bool
    ) async throws {
        let folder = Folder()
        let journal = folder.journal()
        _ = try await journal.begin(
            try start("one"),
            [.lock(keys: ["a"], holder("one", pid: 1)), .planLines([planLine(0)])])
        await journal.close()
        let connection = try Connection(.file(folder.file))
        for (table, column) in [
            ("runs", "forgotten"), ("runs", "pruned"), ("steps", "claim"), ("locks", "namespace"),
            ("locks", "token"),
        ] {
            try connection.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
        }
        try Self.addSeals(connection)
        try connection.execute("DROP TABLE tokens; PRAGMA user_version = 2")
        let run = try await folder.journal(readOnly: readOnly).run(id: "one")
        #expect(!run.isForgotten)
        let later = folder.journal()
        let error = await #expect(throws: JournalError.self) {
            _ = try await later.begin(
                try start("two"), [.lock(keys: ["a"], holder("two", pid: 2))])
        }
        #expect(error?.code == .locked && error?.holder?.run == "one")
        let next = try await later.begin(
            try start("three"), [.lock(keys: ["b"], holder("three", pid: 3))])
        try await later.write([.note(key: "k", value: [])], run: next.key)
    }

    /// The columns that versions 2 and 3 had, filled.
    private static func addSeals(_ connection: Connection) throws {
        try connection.execute(
            """
            ALTER TABLE plan_lines ADD COLUMN seal BLOB NOT NULL DEFAULT x'01';
            ALTER TABLE runs ADD COLUMN plan_seal BLOB;
            UPDATE runs SET plan_seal = x'02';
            """)
    }

    @Test(arguments: [false, true])
    func `a journal of version 3 is brought forward, and keeps its plans`(
        readOnly: Bool
    ) async throws {
        let folder = Folder()
        let journal = folder.journal()
        let lines = [planLine(0), planLine(1)]
        let row = try await journal.begin(
            try start("one"),
            [.planLines(lines), .plan(digest: "d", header: [1], footer: [2])])
        await journal.close()
        let connection = try Connection(.file(folder.file))
        try Self.addSeals(connection)
        try connection.execute("PRAGMA user_version = 3")
        let later = folder.journal(readOnly: readOnly)
        #expect(try await later.planLines(run: row.key, from: 0, limit: 9) == lines)
        let run = try await later.run(id: "one")
        #expect(run.planDigest == "d" && run.planHeader == [1] && run.planFooter == [2])
        #expect(
            try await later.steps(
                run: row.key, container: 0, scope: .private, from: 0, in: [.planned], limit: 9
            ).map(\.line) == lines.map(\.line))
        #expect(try connection.rows("PRAGMA user_version") == [[.integer(4)]])
    }

    @Test func `a damaged journal of version 1 stays as it was`() async throws {
        let folder = try old(Self.rows + "UPDATE steps SET items = 'many' WHERE number = 0;")
        let error = await #expect(throws: JournalError.self) {
            _ = try await folder.journal().runs(limit: 1)
        }
        #expect(error?.code == .corrupt)
        let connection = try Connection(.file(folder.file))
        #expect(try connection.rows("PRAGMA user_version") == [[.integer(1)]])
        #expect(try connection.rows("SELECT count(*) FROM runs") == [[.integer(2)]])
    }
}

extension Journal {
    func secretIfKept(_ name: String) async throws -> [UInt8]? { try await note(run: 0, key: name) }
}
