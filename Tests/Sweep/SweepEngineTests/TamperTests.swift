import Basics
import CloudModel
import Configuration
import DeletionPlanning
import Foundation
import Journal
import MockStore
import OpenSSL
import SQLite
import SweepEngine
import Testing

/// S5: what was approved cannot be edited, in a file or in the state folder.
struct TamperTests {
    private func planned() async throws -> (Bench, SweepRequest, String) {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "Receipts"])
        let wanted = request(
            [id], policy: Policy(protect: [ProtectRule(zone: "Receipts", reason: "tax law")]))
        let sweep = Sweep(wanted, in: bench.world())
        let report = await sweep.plan(on: bench.readable())
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(report.runID), to: path)
        return (bench, wanted, path)
    }

    /// Changes a plan and makes its counts and its digest right again.
    private func edit(_ path: String, _ change: (inout [String]) -> Void) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var lines = text.split(separator: "\n").map(String.init)
        var footer = lines.removeLast()
        change(&lines)
        var hash = SHA256()
        for line in lines { hash.update(Array((line + "\n").utf8)) }
        let digest = Hexadecimal.encode(hash.finish())
        let old = try #require(footer.firstMatch(of: /"digest":"([0-9a-f]+)"/)).1
        footer = footer.replacing(String(old), with: digest)
        try (lines.joined(separator: "\n") + "\n" + footer + "\n")
            .write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test func `an edited plan with a digest made anew is refused, and deletes nothing`()
        async throws
    {
        let (bench, wanted, path) = try await planned()
        try edit(path) { lines in
            lines = lines.map { $0.replacing(#""names":["a"]"#, with: #""names":["Receipts"]"#) }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#"["Receipts"]"#))
        let before = try bench.dump(user: "ada")
        let tape = Tape()
        let report = await Sweep(wanted, in: bench.world()).apply(
            planFile: path, on: bench.databases(tape), confirm: approve)
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(report.explanation.contains("changed"), "\(report.explanation)")
        #expect(tape.all.isEmpty)
        #expect(try bench.dump(user: "ada") == before)
    }

    @Test func `a plan of another state folder is refused`() async throws {
        let (first, wanted, path) = try await planned()
        let (other, _, _) = try await planned()
        let tape = Tape()
        let report = await Sweep(wanted, in: other.world()).apply(
            planFile: path, on: other.databases(tape), confirm: approve)
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(tape.all.isEmpty)
        #expect(try first.left() == other.left())
    }

    @Test func `verify asks for what the run deleted, not for what its journal says by now`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let swept = await bench.sweep(request([id]))
        #expect(swept.status == .done, "\(swept.explanation)")
        try Connection(.file(bench.folder + "/journal.sqlite")).execute(
            """
            UPDATE plan_lines SET line = CAST(replace(CAST(line AS TEXT), '"a"', '"b"') AS BLOB)
            """)
        let report = await Sweep(request([id]), in: bench.world()).verify(
            run: swept.runID, on: bench.readable())
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(report.explanation.contains("was changed"), "\(report.explanation)")
    }

    /// A run that was cut off, and what somebody did to its journal.
    @Test(arguments: [
        "UPDATE plan_lines SET line = CAST(replace(CAST(line AS TEXT), '\"a\"', '\"b\"') AS BLOB)",
        "DELETE FROM plan_lines WHERE number = (SELECT max(number) FROM plan_lines)",
        "UPDATE used_plans SET digest = 'x'",
        "DELETE FROM used_plans",
        "UPDATE runs SET server = 'https://elsewhere.example'",
        "DELETE FROM events WHERE number = (SELECT max(number) FROM events)",
        "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '1', '2') AS BLOB)",
    ])
    func `a changed journal is named and refused by resume`(change: String) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let failing = Tape { _, entry in
            guard case .write = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let first = await bench.sweep(request([id]), failing)
        #expect(first.canResume)
        let connection = try Connection(.file(bench.folder + "/journal.sqlite"))
        try connection.execute(change)
        #expect(connection.changes > 0)
        let tape = Tape()
        let report = await Sweep(request([id]), in: bench.world()).resume(
            run: first.runID, on: bench.databases(tape))
        #expect(
            report.status == .refused || report.status == .internalError,
            "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
        #expect(try bench.left() == 4)
    }

    @Test(arguments: [
        """
        UPDATE reports
        SET report = CAST(replace(CAST(report AS TEXT), '"status":5', '"status":0') AS BLOB)
        """,
        // As if version 1 had written it, without an authentication code.
        """
        UPDATE runs SET server = '';
        UPDATE reports SET report = CAST(replace(
            substr(CAST(report AS TEXT), 1, instr(CAST(report AS TEXT), char(10)) - 1),
            '"status":5', '"status":0') AS BLOB)
        """,
    ])
    func `a report that was changed in the journal is not shown`(change: String) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let failing = Tape { _, entry in
            guard case .write = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let run = try #require(await bench.sweep(request([id]), failing).runID)
        let history = SweepHistory(stateFolder: bench.folder)
        #expect(try await history.report(run: run)?.status == .partlyFailed)
        let connection = try Connection(.file(bench.folder + "/journal.sqlite"))
        try connection.execute(change)
        await #expect(throws: JournalError.self) { try await history.report(run: run) }
    }

    // MARK: The key

    /// A run whose deletions were all refused.
    private func cutOff(_ bench: Bench, _ id: Container.ID) async throws -> String {
        try bench.seed(id, ["a"])
        let failing = Tape { _, entry in
            guard case .write = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await bench.sweep(request([id]), failing)
        #expect(report.canResume, "\(report.explanation)")
        return try #require(report.runID)
    }

    private func keyPath(_ bench: Bench) -> String { bench.folder + "/state.key" }

    @Test func `S5 the journal alone does not hold what authenticates it`() async throws {
        let bench = try Bench()
        let run = try await cutOff(bench, try container("one"))
        let journal = try Connection(.file(bench.folder + "/journal.sqlite"))
        // What someone writes who has the journal and knows how it is authenticated.
        let key = [UInt8](repeating: 7, count: 32)
        try journal.execute(
            """
            UPDATE plan_lines SET line = CAST(replace(CAST(line AS TEXT), '"a"', '"b"') AS BLOB);
            INSERT OR REPLACE INTO notes(run, key, value) VALUES (0, 'seals', x'\(Hexadecimal.encode(key))');
            """)
        var hash = SHA256()
        let header = try journal.rows("SELECT CAST(plan_header AS TEXT) FROM runs")
        let lines = try journal.rows("SELECT CAST(line AS TEXT) FROM plan_lines ORDER BY number")
        for line in header + lines {
            hash.update(Array((try #require(line.first?.string) + "\n").utf8))
        }
        let digest = Hexadecimal.encode(hash.finish())
        let code = Hexadecimal.encode(
            HMACSHA256.authenticate(Array("plan\n\(digest)".utf8), key: key))
        let footer = try #require(
            journal.rows("SELECT CAST(plan_footer AS TEXT) FROM runs").first?.first?.string)
        let forged = footer.replacing(/"digest":"[0-9a-f]+"/, with: "\"digest\":\"\(digest)\"")
            .replacing(/"seal":"[0-9a-f]+"/, with: "\"seal\":\"\(code)\"")
        #expect(forged != footer)
        try journal.run("UPDATE runs SET plan_footer = ?", .blob(Array(forged.utf8)))
        try journal.run("UPDATE runs SET plan_digest = ?", .text(digest))
        try journal.run("UPDATE used_plans SET digest = ?", .text(digest))
        let tape = Tape()
        let report = await Sweep(request([try container("one")]), in: bench.world()).resume(
            run: run, on: bench.databases(tape))
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(report.explanation.contains("was changed"), "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `a key that an earlier version kept in the journal is moved to its file`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        let run = try await cutOff(bench, id)
        let key = try #require(FileManager.default.contents(atPath: keyPath(bench)))
        try FileManager.default.removeItem(atPath: keyPath(bench))
        let journal = try Connection(.file(bench.folder + "/journal.sqlite"))
        try journal.run(
            "INSERT INTO notes(run, key, value) VALUES (0, 'seals', ?)", .blob(Array(key)))
        // Reading alone moves nothing.
        let history = SweepHistory(stateFolder: bench.folder)
        #expect(try await history.report(run: run)?.status == .partlyFailed)
        #expect(!FileManager.default.fileExists(atPath: keyPath(bench)))
        let report = await Sweep(request([id]), in: bench.world()).resume(
            run: run, on: bench.databases())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(FileManager.default.contents(atPath: keyPath(bench)) == key)
        #expect(try journal.rows("SELECT 1 FROM notes WHERE key = 'seals'").isEmpty)
        #expect(try await history.report(run: run)?.status == .done)
    }

    @Test(arguments: ["mode", "length", "another"])
    func `a key that others can read, or that is another one, carries no plan out`(
        change: String
    ) async throws {
        let bench = try Bench()
        let id = try container("one")
        let run = try await cutOff(bench, id)
        let files = FileManager.default
        switch change {
        case "mode":
            try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: keyPath(bench))
        case "length": try Data([1, 2, 3]).write(to: URL(filePath: keyPath(bench)))
        default: try Data(repeating: 9, count: 32).write(to: URL(filePath: keyPath(bench)))
        }
        let tape = Tape()
        let report = await Sweep(request([id]), in: bench.world()).resume(
            run: run, on: bench.databases(tape))
        #expect(
            report.status
                == ["mode": .usage, "another": .refused][change, default: .internalError],
            "\(report.status) \(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }
}
