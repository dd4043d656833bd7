import Basics
import DeletionPlanning
import Journal
import OpenSSL

/// The lines of a run's plan, from the journal. A plan of which a line was changed, added or removed is refused.
struct PlanLines: Sendable {
    static let pageSize = 100

    let stage: PlanStage

    /// The first line of a plan, and what its last line says.
    typealias Ends = (header: PlanHeader, totals: PlanTotals, digest: String)

    /// Hands over every item of a run's plan: the container's place, the item, and why it is kept.
    ///
    /// Whether all lines are those of the plan is known after the last one. What `body` has decided by then
    /// counts only when this returns.
    @discardableResult
    func each(
        of run: Int64, _ body: (Int, PlanItem, String?) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) -> Ends {
        let row: RunRow
        do throws(JournalError) {
            row = try await stage.journal.run(key: run)
        } catch {
            throw .journal(error)
        }
        let ends = try ends(of: row)
        var hash = SHA256()
        hash.update(PlanLine.header(ends.header).bytes + [0x0A])
        try await eachLine(of: run) { (line) async throws(SweepFailure) in
            hash.update(line.line + [0x0A])
            let (item, reason) = try read(line)
            let container =
                switch item {
                case .step(let step): step.container
                case .kept(let kept): kept.container
                case .unproven(let place): place.container
                }
            guard let place = stage.place(of: container) else {
                throw .refusedByGuard(Refusal(.otherContainers))
            }
            try await body(place, item, reason)
        }
        guard Hexadecimal.encode(hash.finish()) == ends.digest else {
            throw .refusedByGuard(
                Refusal(
                    .planChanged,
                    "the plan of run \(row.id) was changed: its lines do not have its digest"))
        }
        return ends
    }

    private func ends(of row: RunRow) throws(SweepFailure) -> Ends {
        do throws(PlanFileError) {
            if let first = row.planHeader, let last = row.planFooter,
                case .header(let header) = try PlanLine(first, line: 1),
                case .footer(let totals, let digest, let code) = try PlanLine(last, line: 1),
                code == stage.key.code(ofPlan: digest)
            {
                return (header, totals, digest)
            }
        } catch {
            throw .refusedByGuard(
                Refusal(.planChanged, "the plan of run \(row.id) was changed: \(error.reason)"))
        }
        throw .refusedByGuard(
            Refusal(
                .planChanged,
                "the plan of run \(row.id) was changed, or made with another state folder"))
    }

    private func eachLine(
        of run: Int64, _ body: (PlanLineRow) async throws(SweepFailure) -> Void
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
            for line in page { try await body(line) }
            guard let last = page.last else { return }
            next = last.number + 1
        }
    }

    private func read(_ row: PlanLineRow) throws(SweepFailure) -> (PlanItem, String?) {
        do throws(PlanFileError) {
            if case .item(let item, let reason) = try PlanLine(row.line, line: row.number + 1) {
                return (item, reason)
            }
        } catch {
            throw .journal(
                JournalError(.corrupt, "line \(row.number + 1) of the plan is damaged"))
        }
        throw .journal(
            JournalError(
                .corrupt,
                "line \(row.number + 1) of the plan is not a plan item"))
    }
}

extension SweepRun {
    /// Hands over every item of a run's plan, with the container's place in the list.
    func eachPlanned(
        of run: RunRow, _ body: (Int, PlanItem) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        try await PlanLines(stage: stage).each(of: run.key) {
            (place, item, _) async throws(SweepFailure) in try await body(place, item)
        }
    }
}
