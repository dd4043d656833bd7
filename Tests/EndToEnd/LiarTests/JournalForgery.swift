import Liar
import SQLite
import Testing

/// One thing that somebody changed in the journal of an interrupted run.
struct JournalForgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether the run must not go on at all.
    let mustStop: Bool
    private let statements: String

    init(_ name: String, mustStop: Bool = true, _ statements: String) {
        testDescription = name
        self.mustStop = mustStop
        self.statements = statements
    }

    func forge(_ folder: String) throws {
        let connection = try Connection(.file(folder + "/journal.sqlite"))
        try connection.execute("PRAGMA ignore_check_constraints = ON")
        let before = try Self.rows(connection)
        try connection.execute(statements)
        // A forgery that changes nothing would look like one that the sweep did not notice.
        guard try Self.rows(connection) != before else {
            throw LiarError("\(testDescription): nothing in the journal was changed")
        }
    }

    /// Every row of the journal, a text per table.
    private static func rows(_ connection: Connection) throws -> [String] {
        let tables = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
        return try tables.compactMap(\.first?.string).map { table in
            "\(table): \(try connection.rows("SELECT * FROM \(table)"))"
        }
    }

    static let all: [JournalForgery] = [
        JournalForgery(
            "the protected zone among those to go",
            """
            UPDATE plan_lines SET line = CAST(replace(CAST(line AS TEXT), '"Album"', '"Keep"') AS BLOB)
            """),
        JournalForgery(
            "a protected record among those to go",
            """
            UPDATE plan_lines
            SET line = CAST(replace(CAST(line AS TEXT), '"note-0"', '"receipt"') AS BLOB)
            """),
        JournalForgery("a line missing", "DELETE FROM plan_lines WHERE number = 1"),
        JournalForgery(
            "the last line missing",
            "DELETE FROM plan_lines WHERE number = (SELECT max(number) FROM plan_lines)"),
        JournalForgery(
            "a line twice",
            """
            INSERT INTO plan_lines(run, number, line)
            SELECT run, number + 1000, line FROM plan_lines WHERE number = 1
            """),
        JournalForgery(
            "two lines in each other's place",
            """
            UPDATE plan_lines SET number = -1 WHERE number = 0;
            UPDATE plan_lines SET number = 0 WHERE number = 1;
            UPDATE plan_lines SET number = 1 WHERE number = -1;
            """),
        JournalForgery(
            "no authentication code",
            """
            UPDATE runs SET plan_footer =
                CAST(substr(CAST(plan_footer AS TEXT), 1, instr(CAST(plan_footer AS TEXT), '"seal":"') + 7)
                || '"}' AS BLOB)
            """),
        JournalForgery("no plan", "UPDATE runs SET plan_footer = NULL, plan_header = NULL"),
        JournalForgery(
            "another plan's digest",
            "UPDATE runs SET plan_footer = CAST(replace(CAST(plan_footer AS TEXT), 'a', 'b') AS BLOB)"
        ),
        JournalForgery("never approved", "DELETE FROM used_plans"),
        JournalForgery(
            "another plan approved",
            "UPDATE used_plans SET digest = '\(String(repeating: "0", count: 64))'"),
        JournalForgery(
            "another person",
            """
            UPDATE runs SET subjects =
                CASE substr(subjects, 1, 1) WHEN 'a' THEN 'b' ELSE 'a' END || substr(subjects, 2)
            """),
        JournalForgery("another server", "UPDATE runs SET server = 'https://elsewhere.example'"),
        JournalForgery(
            "another container",
            "UPDATE runs SET containers = replace(containers, 'two', 'outside')"),
        JournalForgery(
            "an event missing at the end",
            "DELETE FROM events WHERE number = (SELECT max(number) FROM events)"),
        JournalForgery("all events missing", "DELETE FROM events"),
        JournalForgery("an event missing in the middle", "DELETE FROM events WHERE number = 1"),
        JournalForgery(
            "an event changed",
            "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '1', '2') AS BLOB) WHERE number = 1"
        ),
        JournalForgery(
            "every step said to be done", mustStop: false,
            "UPDATE steps SET state = (SELECT max(state, 4)), deleted = items"),
        JournalForgery("no steps", mustStop: false, "DELETE FROM steps"),
        JournalForgery("nothing kept", mustStop: false, "UPDATE seen SET kept = 0"),
        JournalForgery("nothing seen", mustStop: false, "DELETE FROM seen"),
        JournalForgery("everything seen kept", mustStop: false, "UPDATE seen SET kept = 1"),
        JournalForgery("no fences", mustStop: false, "DELETE FROM fences"),
        JournalForgery("no references", mustStop: false, "DELETE FROM links"),
        JournalForgery("no types", mustStop: false, "DELETE FROM types"),
    ]
}
