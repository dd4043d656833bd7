import CommandLine
import Configuration
import DeletionPlanning
import SweepEngine

/// Rows of a report that have an outcome and a reason in common, so that the reason is said once.
struct ReasonGroup: Sendable {
    private let rows: [CoverageRow]

    /// The groups in the order of their first rows.
    static func all(of rows: [CoverageRow]) -> [ReasonGroup] {
        var groups: [[CoverageRow]] = []
        for row in rows {
            let same = groups.firstIndex {
                $0[0].outcome == row.outcome && $0[0].reason == row.reason
                    && $0[0].code == row.code
            }
            if let same { groups[same].append(row) } else { groups.append([row]) }
        }
        return groups.map { ReasonGroup(rows: $0) }
    }

    /// `not looked at: 12 places of 3 containers: nobody is signed in`
    ///
    /// - Parameter verdict: What is said last: a reason in it is not said here as well.
    func words(besides verdict: String) -> String {
        let head = "\(rows[0].outcome.label): \(what)"
        guard let reason = rows[0].reason, !reason.isEmpty, !verdict.isEmpty else {
            return head + why
        }
        if verdict.contains(reason) { return head }
        return reason.hasSuffix(": \(verdict)")
            ? head + ": " + Visible.text(String(reason.dropLast(verdict.count + 2))) : head + why
    }

    /// `3 in 2 places of iCloud.com.example.app: tax law`
    func words(counting count: (CoverageRow) -> Int) -> String {
        let sum = rows.reduce(0) { $0 + count($1) }
        return "\(TextTable.grouped(sum)) in \(what)\(why)"
    }

    private var why: String {
        let reason = rows[0].reason ?? rows[0].code?.rawValue
        return reason.map { ": \(Visible.text($0))" } ?? ""
    }

    private var what: String {
        let containers = Set(rows.map(\.container))
        let whose =
            containers.count == 1
            ? rows[0].container.rawValue : Counts.some(containers.count, "container")
        guard rows.count == 1 else { return "\(rows.count) locations of \(whose)" }
        let subject = rows[0].subject.map { " \"\(Visible.text($0))\"" } ?? ""
        return "\(rows[0].kind.words(in: rows[0].scope))\(subject) of \(whose)"
    }
}

extension ProtectRule {
    /// `container iCloud.com.example.app, zone "Reciepts": tax law`
    var inWords: String {
        let parts = [
            container.map { "container \($0)" }, zone.map { "zone \"\($0)\"" },
            recordType.map { "record type \"\($0)\"" },
        ]
        return Visible.text(parts.compactMap { $0 }.joined(separator: ", ") + ": \(reason)")
    }
}
