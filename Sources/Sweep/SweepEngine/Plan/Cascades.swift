import DeletionPlanning
import Journal

/// Follows `DELETE_SELF` references from what a look saw: what goes along when the rest is deleted.
struct Cascades: Sendable {
    /// Chains that are shown.
    private static let chainsMax = 3
    private static let rowsMax = 100

    let stage: PlanStage

    /// What deleting everything that `look` saw and no rule keeps would take along.
    func found(in look: Look) async throws(SweepFailure) -> CascadeFinding {
        do throws(JournalError) {
            let cascade = try await stage.journal.cascade(
                run: stage.run, in: look, limit: Self.rowsMax)
            var finding = CascadeFinding()
            for sum in cascade.counts {
                guard sum.isOthers else {
                    finding.kept += sum.count
                    continue
                }
                finding.others += sum.count
                let container = stage.containers[sum.container]
                if !stage.request.policy.letsOthersGoAlong(in: container) {
                    finding.othersRefused += sum.count
                }
            }
            // What is kept comes first: it makes the plan impossible.
            let rows =
                cascade.rows.filter { !$0.isOthers } + cascade.rows.filter { $0.isOthers }
            finding.chains = rows.prefix(Self.chainsMax).map(Self.words)
            return finding
        } catch {
            throw .journal(error)
        }
    }

    /// `Receipt "r1" refers to "o1"`: from what would go along to what is deleted.
    private static func words(_ row: CascadeRow) -> String {
        let owner = row.isOthers ? " (of another user)" : ""
        let way = row.chain.map { "\"\($0)\"" }.joined(separator: ", that to ")
        return "\(row.type) \"\(row.name)\"\(owner) refers to \(way)"
    }
}
