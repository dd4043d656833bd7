import CloudModel
import Journal

/// What was planned in one database of a run, as the journal has it.
struct PlannedRows: Sendable {
    private static let pageSize = 1000

    let journal: any Journal
    let run: Int64
    /// The container's place in the run's list.
    let container: Int
    let scope: Database.Scope

    /// Visits the names of what was planned of one kind in one zone, a page at a time.
    ///
    /// - Parameter zone: As rows name it: with its owner where that is another person.
    func eachPage(
        of kind: ItemKind, in zone: String,
        _ visit: ([String]) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        var last = SeenRow(
            container: container, scope: scope, kind: kind, zone: zone, type: "", name: "",
            detail: 0)
        while true {
            let page: [SeenRow]
            do throws(JournalError) {
                page = try await journal.seen(
                    run: run, in: .planned, after: last, limit: Self.pageSize)
            } catch {
                throw .journal(error)
            }
            let rows = page.prefix {
                $0.container == container && $0.scope == scope && $0.kind == kind
                    && $0.zone == zone
            }
            if !rows.isEmpty { try await visit(rows.map(\.name)) }
            guard rows.count == page.count, let end = page.last else { return }
            last = end
        }
    }
}
