import Basics
import CloudModel
import DeletionPlanning
import Journal

/// Asks the address of every asset that a run deletes: it must answer as gone.
///
/// One that still gives the file is left, and the row says until when it may, where the answer does. One
/// that cannot be asked, or says neither, cannot be proven to be gone. Never more than a page of
/// addresses is in memory.
struct AssetCheck: Sendable {
    /// Addresses that are asked at once.
    private static let pageSize = 100

    /// Of the run that looks.
    let stage: PlanStage
    let looking: LookStage
    let probe: (any AssetProbe)?

    /// What the addresses answer.
    struct Answer: Sendable {
        /// What is said of those that still give a file, which are noted in the journal as seen.
        var remarks: [RowKey: String] = [:]
        /// What could not be asked.
        var unproven: [RowKey: Finding] = [:]
    }

    /// What one address answers.
    private enum Verdict: Sendable {
        case gone
        case there(until: Timestamp?)
        case unproven(reason: String)
    }

    /// Asks for the assets of a run.
    func ask(_ run: Int64) async throws(SweepFailure) -> Answer {
        var answer = Answer()
        for container in stage.containers.indices {
            for scope in Set(stage.request.scopes).sorted() {
                try await ask(run, container, scope, &answer)
            }
        }
        return answer
    }

    private func ask(
        _ run: Int64, _ container: Int, _ scope: Database.Scope, _ answer: inout Answer
    ) async throws(SweepFailure) {
        let key = RowKey(container: container, scope: scope, kind: .assets)
        var last = SeenRow(
            container: container, scope: scope, kind: .asset, zone: "", type: "", name: "",
            detail: 0)
        var end: Timestamp?
        var problems: [String: Int] = [:]
        while true {
            let page = try await seen(run, after: last).prefix {
                $0.container == container && $0.scope == scope && $0.kind == .asset
            }
            guard let final = page.last else { break }
            last = final
            var there: [SeenRow] = []
            for (row, verdict) in try await verdicts(page.filter { !isKept($0) }, run) {
                switch verdict {
                case .gone: continue
                case .there(let until):
                    there.append(row)
                    if let until { end = max(end ?? until, until) }
                case .unproven(let reason): problems[reason, default: 0] += 1
                }
            }
            guard !there.isEmpty else { continue }
            try await stage.journal.remember([.seen(looking.look, there)], run: stage.run)
            answer.remarks[key] = Self.words(until: end)
        }
        guard let worst = problems.min(by: { ($1.value, $0.key) < ($0.value, $1.key) }) else {
            return
        }
        let count = problems.values.reduce(0, +)
        let row = CoverageRow(
            container: stage.containers[container], scope: scope, kind: .assets,
            outcome: .unproven,
            reason: "\(count) \(count == 1 ? "asset" : "assets") could not be requested: "
                + worst.key)
        answer.unproven[key] = Finding(isComplete: true, remarks: [row])
    }

    /// Whether a rule keeps the asset's record: one that came after the run began.
    private func isKept(_ row: SeenRow) -> Bool {
        stage.request.policy.ruleKeepingRecord(
            type: row.type, zone: RecordZone.ID(qualifiedName: row.zone).zoneName,
            in: stage.containers[row.container]) != nil
    }

    private static func words(until end: Timestamp?) -> String {
        let until = end.map { "until \($0.iso8601) at the latest" } ?? "for an unknown time"
        return "their addresses still return them, \(until); \"cksweep verify RUN\" requests "
            + "them again"
    }

    private func seen(_ run: Int64, after row: SeenRow) async throws(SweepFailure) -> [SeenRow] {
        do throws(JournalError) {
            return try await stage.journal.seen(
                run: run, in: .assets, after: row, limit: Self.pageSize)
        } catch {
            throw .journal(error)
        }
    }

    // MARK: One page

    private func verdicts(
        _ rows: [SeenRow], _ run: Int64
    ) async throws(SweepFailure) -> [(SeenRow, Verdict)] {
        let results = await withTaskGroup(of: Result<(SeenRow, Verdict), SweepFailure>.self) {
            group in
            for row in rows {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in
                        (row, try await verdict(row, run))
                    }
                }
            }
            var results: [Result<(SeenRow, Verdict), SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        var verdicts: [(SeenRow, Verdict)] = []
        for result in results { verdicts.append(try result.get()) }
        return verdicts
    }

    private func verdict(_ row: SeenRow, _ run: Int64) async throws(SweepFailure) -> Verdict {
        let addresses = try await AssetAddresses(journal: stage.journal, run: run)
            .addresses(of: row)
        guard let newest = addresses.last else {
            return .unproven(reason: "the service returned no address for it")
        }
        guard let probe else { return .unproven(reason: "addresses cannot be requested here") }
        // Those of before expire first, so that they count only where they give the file.
        for address in addresses.dropLast() {
            let verdict = try await ask(address, of: row, by: probe)
            if case .there = verdict { return verdict }
        }
        return try await ask(newest, of: row, by: probe)
    }

    private func ask(
        _ address: String, of row: SeenRow, by probe: any AssetProbe
    ) async throws(SweepFailure) -> Verdict {
        do throws(SweepFailure) {
            let place = Database.Address(
                container: stage.containers[row.container],
                environment: stage.request.environment, scope: row.scope)
            switch try await looking.courier.ask(address, of: place, by: probe) {
            case .gone: return .gone
            case .there(let until): return .there(until: until)
            case nil: return .unproven(reason: "no reply")
            }
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return .unproven(reason: refusal.inWords)
        }
    }
}
