import SweepEngine

/// Something that was not looked at, or cannot be proven, in plain words; the same thing in several
/// containers is said once.
struct ReportGap: Sendable, Hashable {
    let what: String
    let why: String
    /// Whether it keeps the run from being complete, rather than being out of its scope.
    let isOpen: Bool
    var containers: [String]

    private init(_ row: CoverageRow) {
        let subject = row.subject.map { " (\($0))" } ?? ""
        let database = row.kind == .otherEnvironment ? "" : "\(row.scope.rawValue) database: "
        what = database + row.kind.rawValue + subject
        isOpen = row.outcome != .notInScope
        let way = row.outcome == .unproven ? "cannot be verified" : "not scanned"
        let cause = row.reason ?? row.code.map { "the service replied \($0.rawValue)" }
        why = (isOpen ? way : "not in scope") + (cause.map { ": \($0)" } ?? "")
        containers = [row.container.rawValue]
    }

    /// Those of a report, the open ones first.
    static func all(of report: SweepReport) -> [ReportGap] {
        var gaps: [ReportGap] = []
        for row in report.rows {
            switch row.outcome {
            case .notLookedAt, .unproven, .notInScope: break
            case .deleted, .alreadyGone, .empty, .kept, .left, .failed, .toDelete, .exported:
                continue
            }
            let gap = ReportGap(row)
            let same = gaps.firstIndex { $0.what == gap.what && $0.why == gap.why }
            if let same {
                gaps[same].containers += gap.containers
            } else {
                gaps.append(gap)
            }
        }
        return gaps.filter(\.isOpen) + gaps.filter { !$0.isOpen }
    }
}
