import CommandLine
package import SweepEngine

/// A report as comma-separated values (RFC 4180): one line a row of the coverage map, for spreadsheets.
///
/// No text is taken for a formula by a spreadsheet: one that begins like a formula begins with `'`.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc4180>
/// - SeeAlso: <https://owasp.org/www-community/attacks/CSV_Injection>
package struct ReportTable: Sendable {
    private let report: SweepReport

    package init(_ redacted: RedactedReport) { report = redacted.report }

    private static let header = [
        "run", "case", "status", "rehearsal", "server", "environment", "container", "user",
        "database", "location", "subject", "outcome", "found", "deleted", "already deleted", "kept",
        "exported", "failed", "left", "code", "reason",
    ]

    package var csv: String {
        ([Self.header] + report.rows.map(fields)).map { line in
            line.map(Self.quoted).joined(separator: ",") + "\r\n"
        }.joined()
    }

    private func fields(_ row: CoverageRow) -> [String] {
        let person = report.subjects.first { $0.container == row.container }
        let numbers = [
            row.found, row.deleted, row.alreadyGone, row.kept, row.exported, row.failed,
            row.left,
        ].map(String.init)
        return [
            report.runID ?? "", report.caseReference ?? "", "\(report.status.rawValue)",
            report.server.map { $0.isRehearsal ? "yes" : "no" } ?? "", report.server?.url ?? "",
            report.environment?.rawValue ?? "", row.container.rawValue,
            person?.userPseudonym ?? "", row.scope.rawValue, row.kind.rawValue, row.subject ?? "",
            row.outcome.label,
        ] + numbers + [row.code?.rawValue ?? "", row.reason ?? ""]
    }

    /// A field as it stands in the file.
    static func quoted(_ field: String) -> String {
        var text = Visible.text(field)
        if let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) { text = "'" + text }
        guard text.utf8.contains(where: { "\",\r\n;'".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
