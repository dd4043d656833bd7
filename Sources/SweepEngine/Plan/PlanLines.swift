import CloudModel
import DeletionPlanning
import Journal

/// The lines of a run's plan, from the journal. Each bears a seal; one that was changed is refused.
struct PlanLines: Sendable {
    static let pageSize = 100

    let stage: PlanStage

    /// Hands over every item of a run's plan: container's place, item, reason, the line's bytes.
    func each(
        of run: Int64,
        _ body: (Int, PlanItem, String?, [UInt8]) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        var next = 0
        while true {
            let page: [PlanLineRow]
            do throws(JournalError) {
                page = try await stage.journal.planLines(
                    run: run, from: next, limit: Self.pageSize)
            } catch {
                throw .journal(error)
            }
            for row in page {
                let (item, reason) = try read(row)
                let container =
                    switch item {
                    case .step(let step): step.container
                    case .kept(let kept): kept.container
                    case .unproven(let place): place.container
                    }
                guard let place = stage.place(of: container) else {
                    throw .refusedByGuard(Refusal(.otherContainers))
                }
                try await body(place, item, reason, row.line)
            }
            guard let last = page.last else { return }
            next = last.number + 1
        }
    }

    private func read(_ row: PlanLineRow) throws(SweepFailure) -> (PlanItem, String?) {
        guard stage.seals.line(row.number, row.line) == row.seal else {
            throw .refusedByGuard(
                Refusal(.planChanged, "line \(row.number + 1) of the run's plan was changed"))
        }
        do throws(PlanFileError) {
            if case .item(let item, let reason) = try PlanLine(row.line, line: row.number + 1) {
                return (item, reason)
            }
        } catch {
            throw .journal(
                JournalError(.corrupt, "line \(row.number + 1) of the plan is damaged"))
        }
        throw .journal(JournalError(.corrupt, "line \(row.number + 1) of the plan is no item"))
    }
}

extension SweepRun {
    /// Hands over every item of a run's plan, with the container's place in the list.
    func eachPlanned(
        of run: RunRow, _ body: (Int, PlanItem) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        try await PlanLines(stage: stage).each(of: run.key) {
            (place, item, _, _) async throws(SweepFailure) in try await body(place, item)
        }
    }
}
