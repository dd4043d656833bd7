import CloudModel
package import CommandLine
package import SweepEngine

/// The coverage map: every place where a person's data can lie, and what became of it.
package struct CoverageMap: Sendable {
    private let rows: [CoverageRow]
    /// Who the person is in each container.
    private let subjects: [SweepReport.Subject]
    private let containers: [Container.ID]
    private let rest: Remainder

    package init(_ report: SweepReport) {
        rows = report.rows
        subjects = report.subjects
        containers = report.containersOpenFirst
        rest = Remainder(report)
    }

    /// A column of numbers that is left out when it is all zero.
    private struct Column {
        let title: String
        let isAlwaysThere: Bool
        let value: @Sendable (CoverageRow, Remainder) -> Int
    }

    private static let columns = [
        Column(title: "found", isAlwaysThere: true) { row, _ in row.found },
        Column(title: "deleted", isAlwaysThere: false) { row, _ in row.deleted },
        Column(title: "already deleted", isAlwaysThere: false) { row, _ in row.alreadyGone },
        Column(title: "exported", isAlwaysThere: false) { $1.exported($0) },
        Column(title: "kept", isAlwaysThere: false) { row, _ in row.kept },
        Column(title: "failed", isAlwaysThere: false) { row, _ in row.failed },
        // What is to be deleted is found, and not left over.
        Column(title: "left", isAlwaysThere: false) { $1.left($0) },
    ]

    /// The map as lines, container by container.
    package func lines(_ style: Style) -> [String] {
        guard !rows.isEmpty else { return [] }
        let columns = Self.columns.filter { column in
            column.isAlwaysThere || rows.contains { column.value($0, rest) != 0 }
        }
        var table = TextTable(indent: 2)
        table.add(
            ["database", "what", "outcome"].map { TextTable.Cell($0, .faint) }
                + columns.map { TextTable.Cell($0.title, .faint, alignsRight: true) })
        for row in ordered {
            table.add(
                [
                    TextTable.Cell(row.scope.rawValue), TextTable.Cell(Self.place(row)),
                    TextTable.Cell(row.outcome.label, Self.tone(row)),
                ] + columns.map { Self.count($0.value(row, rest)) })
        }
        let rendered = table.rowLines(style)
        let sorted = ordered
        var lines = rendered[0]
        var said: Set<String> = []
        for (number, row) in sorted.enumerated() {
            if number == 0 || sorted[number - 1].container != row.container {
                lines += style.paragraph(heading(of: row.container), .strong)
            }
            lines += rendered[number + 1]
            guard let reason = row.reason else { continue }
            // Rows that follow one another share the line below the last of them.
            let next = number + 1 < sorted.count ? sorted[number + 1] : nil
            if next?.container == row.container, next?.reason == reason { continue }
            let words = said.insert(reason).inserted ? Visible.text(reason) : "as above"
            lines += style.paragraph(words, .faint, indent: 6)
        }
        return lines
    }

    private var ordered: [CoverageRow] {
        let order = Dictionary(
            uniqueKeysWithValues: containers.enumerated().map { ($0.element, $0.offset) })
        let kinds = Dictionary(
            uniqueKeysWithValues: CoverageRow.Kind.allCases.enumerated().map {
                ($0.element, $0.offset)
            })
        return rows.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            if a.container != b.container {
                return (order[a.container] ?? 0) < (order[b.container] ?? 0)
            }
            // What is open comes first.
            guard a.isOpen == b.isOpen else { return a.isOpen }
            let first = (a.scope, kinds[a.kind] ?? 0, left.offset)
            return first < (b.scope, kinds[b.kind] ?? 0, right.offset)
        }.map { $0.element }
    }

    private func heading(of container: Container.ID) -> String {
        guard let subject = subjects.first(where: { $0.container == container && $0.isKnown })
        else {
            return container.rawValue
        }
        return "\(container)  (user \(Self.short(subject.userPseudonym)))"
    }

    /// Enough of a digest to tell one from another.
    static func short(_ digest: String) -> String { String(digest.prefix(12)) }

    private static func count(_ number: Int) -> TextTable.Cell {
        number == 0 ? TextTable.Cell("-", .faint, alignsRight: true) : .number(number)
    }

    private static func place(_ row: CoverageRow) -> String {
        row.subject.map { "\(row.kind.rawValue): \($0)" } ?? row.kind.rawValue
    }

    private static func tone(_ row: CoverageRow) -> Style.Tone {
        switch row.outcome {
        case .deleted, .alreadyGone, .exported: .good
        case .empty, .notInScope: .faint
        case .toDelete, .kept: .caution
        case .notLookedAt, .unproven, .failed, .left: .bad
        }
    }
}

extension CoverageRow {
    /// Whether it keeps a run from being complete.
    var isOpen: Bool {
        switch outcome {
        case .left, .failed, .notLookedAt, .unproven: true
        case .deleted, .alreadyGone, .empty, .kept, .notInScope, .toDelete, .exported: false
        }
    }
}
