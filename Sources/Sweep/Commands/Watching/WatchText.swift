import CommandLine
import Evidence
import SweepEngine

/// What a watch's look found, to people and to programs.
struct WatchText: Sendable {
    private let report: SweepReport
    private let schedule: WatchSchedule?
    private let run: String

    init(_ report: SweepReport, _ schedule: WatchSchedule?, run: String) {
        self.report = report
        self.schedule = schedule
        self.run = run
    }

    private var headline: (word: String, tone: Style.Tone) {
        switch report.returned?.found {
        case .empty: ("EMPTY", .good)
        case .recreatedEmpty: ("RECREATED, EMPTY", .caution)
        case .recreatedWithData: ("RECREATED, WITH DATA", .bad)
        case .incomplete: ("INCOMPLETE", .bad)
        case nil: VerdictText.headline(report.status)
        }
    }

    /// Devices are named on the screen only, for who has to find them.
    func lines(_ style: Style) -> [String] {
        let (word, tone) = headline
        var table = TextTable(indent: 2)
        for row in report.returned?.rows ?? [] {
            let without = row.withoutData > 0 ? ", \(row.withoutData) without data" : ""
            table.add([
                .init(row.container.rawValue), .init("\(row.scope.rawValue) \(row.kind.rawValue)"),
                .init("\(row.left)\(without)"),
            ])
        }
        func add(_ name: String, _ value: String?) {
            if let value { table.add([.init(name, .faint), .init(Visible.text(value))]) }
        }
        add("run", run)
        let devices = report.returned?.devices ?? []
        add("devices", devices.isEmpty ? nil : devices.joined(separator: ", "))
        add("addendum", report.returned?.addendum)
        if let schedule {
            add("scan", "\(schedule.looks) of a watch until \(schedule.until.iso8601)")
        }
        return table.lines(style)
            + style.verdict(word, tone, Visible.text(report.explanation))
    }

    var event: Event {
        let rows = (report.returned?.rows ?? []).map { row in
            Event.Value.object([
                .init("container", row.container.rawValue),
                .init("database", row.scope.rawValue), .init("kind", row.kind.rawValue),
                .init("left", row.left), .init("withoutData", row.withoutData),
            ])
        }
        return Event(
            "look",
            [
                .init("run", run), .init("found", report.returned?.found?.rawValue),
                .init("status", Int(report.status.rawValue)), .init("rows", .list(rows)),
                .init("devices", report.returned?.devices.count ?? 0),
                .init("addendum", report.returned?.addendum),
                .init("next", schedule?.next?.iso8601),
            ])
    }
}
