import CommandLine
import Evidence
import SweepEngine

/// How a change of access ended, to people and to programs.
struct AccessText: Sendable {
    private let report: AccessReport

    init(_ report: AccessReport) { self.report = report }

    private var headline: (word: String, tone: Style.Tone) {
        switch (report.status, report.change) {
        case (.done, .restrict): ("RESTRICTED", .good)
        case (.done, .unrestrict): ("ACCESS RESTORED", .good)
        case (let status, _): VerdictText.headline(status)
        }
    }

    func lines(_ style: Style) -> [String] {
        let (word, tone) = headline
        var table = TextTable(indent: 2)
        for row in report.rows {
            let refusal = row.refusal.map { $0.code.rawValue + ($0.reason.isEmpty ? "" : ": ") }
            table.add([
                .init(row.container.rawValue),
                refusal.map { .init(Visible.text($0 + (row.refusal?.reason ?? "")), .bad) }
                    ?? .init("done", .good),
            ])
        }
        if let addendum = report.addendum {
            table.add([.init("addendum", .faint), .init(addendum)])
        }
        return table.lines(style)
            + style.verdict(word, tone, Visible.text(report.explanation))
    }

    var event: Event {
        Event(
            "access",
            [
                .init("change", report.change.rawValue),
                .init("status", Int(report.status.rawValue)),
                .init(
                    "containers",
                    .list(
                        report.rows.map {
                            .object([
                                .init("identifier", $0.container.rawValue),
                                .init("done", $0.refusal == nil),
                                .init("code", $0.refusal?.code.rawValue),
                            ])
                        })),
                .init("addendum", report.addendum),
            ])
    }
}
