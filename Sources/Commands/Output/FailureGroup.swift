import CloudModel
import SweepEngine

/// Failures that differ in the name at most.
struct FailureGroup: Sendable {
    private let failures: [SweepReport.Failure]

    /// - Parameter failures: At least one.
    init(_ failures: [SweepReport.Failure]) { self.failures = failures }

    /// The groups in the order of their first failures.
    static func all(of failures: [SweepReport.Failure]) -> [FailureGroup] {
        var groups: [[SweepReport.Failure]] = []
        for failure in failures {
            let same = groups.firstIndex {
                let first = $0[0]
                return first.container == failure.container && first.scope == failure.scope
                    && first.kind == failure.kind && first.code == failure.code
                    && first.reason == failure.reason
            }
            if let same { groups[same].append(failure) } else { groups.append([failure]) }
        }
        return groups.map { FailureGroup($0) }
    }

    /// `private custom zones "Notes" of iCloud.com.example.app: QUOTA_EXCEEDED: over quota`
    var words: String {
        let first = failures[0]
        let name =
            failures.count == 1
            ? first.name.map { " \"\(Visible.text($0))\"" } ?? ""
            : " (\(TextTable.grouped(failures.count)))"
        let reason = first.reason.isEmpty ? "" : ": \(Visible.text(first.reason))"
        return "\(first.scope.rawValue) \(first.kind.rawValue)\(name) of \(first.container): "
            + first.code.rawValue + reason
    }
}
