import CloudModel
import DeletionPlanning
import DonationStore
import Donations
import Journal

extension SweepRun {
    /// What a run knows of the donations linked to its containers, in the order of the list.
    struct DonationFindings: Sendable {
        var tallies: [DonationTally]
        /// Rows deleted by the run so far.
        var removed: [Int]
        /// Zones that go as a whole although a rule is about them.
        var wholeZones: [(container: Int, zone: RecordZone.ID, scope: Database.Scope)] = []

        /// What was found before anything was deleted.
        func found(_ index: Int) -> Int { tallies[index].found + removed[index] }
    }

    private static let noteKey = "donations"

    var donationPass: DonationPass? {
        world.donations.map { DonationPass(store: $0, request: request) }
    }

    /// How many donations are to be deleted.
    var donationsToDelete: Int {
        donations?.tallies.reduce(0) { $0 + $1.toDelete } ?? 0
    }

    /// Looks at the donation store; what cannot be read becomes an `unlisted` row.
    mutating func lookAtDonations() async throws(SweepFailure) {
        guard let donationPass else { return }
        let noted: [UInt8]?
        do throws(JournalError) {
            noted = try await journal.note(run: row.key, key: Self.noteKey)
        } catch {
            throw .journal(error)
        }
        do throws(SweepFailure) {
            let tallies = try await donationPass.look()
            var removed = [Int](repeating: 0, count: tallies.count)
            for (index, field) in (noted ?? []).split(separator: 0x20).enumerated()
            where removed.indices.contains(index) {
                removed[index] = Int(String(decoding: field, as: UTF8.self)) ?? 0
            }
            donations = DonationFindings(tallies: tallies, removed: removed)
            for (target, tally) in zip(request.targets, tallies) where tally.found > 0 {
                world.tell(
                    .discovered(target.container, .private, .donations, found: tally.found))
            }
        } catch {
            guard case .donations(let reason) = error else { throw error }
            inventory.unlisted += Self.unreadable(request, reason)
        }
    }

    /// The rows of donations that cannot be read.
    static func unreadable(_ request: SweepRequest, _ error: DonationError) -> [CoverageRow] {
        request.targets.map {
            CoverageRow(
                container: $0.container, scope: .private, kind: .donations,
                outcome: .unreachable,
                reason: "the donation store cannot be read: \(error.reason)")
        }
    }

    /// Lets the plan say which of the zones that a rule is about go as a whole.
    mutating func decideDonations() async throws(SweepFailure) {
        guard donations?.tallies.contains(where: { !$0.undecided.isEmpty }) == true else {
            return
        }
        try await eachStep { (run, index, step) async throws(SweepFailure) in
            guard case .zones(let zones) = step.work else { return }
            let undecided = run.donations?.tallies[index].undecided ?? []
            for zone in zones where undecided.contains(where: { $0.isIn(zone, step.scope) }) {
                run.donations?.tallies[index].zoneGoes(zone, step.scope)
                run.donations?.wholeZones.append((index, zone, step.scope))
            }
        }
    }

    /// Deletes the donations, before any of the content that they tell of (so that a crash never
    /// leaves a suggestion for something that is gone).
    mutating func deleteDonations() async throws(SweepFailure) {
        guard let donationPass, let findings = donations else { return }
        for index in request.targets.indices {
            let receipts = try await donationPass.delete(findings.tallies[index].selectors)
            try await settle(receipts, index)
        }
        guard findings.tallies.contains(where: { !$0.undecided.isEmpty }) else { return }
        try await eachStep { (run, index, step) async throws(SweepFailure) in
            guard case .records(let zone, _, let names) = step.work,
                let tally = run.donations?.tallies[index]
            else { return }
            let selectors = tally.selectors(ofRecords: names, in: zone, step.scope)
            try await run.settle(try await donationPass.delete(selectors), index)
        }
    }

    /// Notes what a deletion removed, with its receipts as an event of the evidence.
    private mutating func settle(
        _ receipts: [DonationReceipt], _ index: Int
    ) async throws(SweepFailure) {
        let rows = receipts.reduce(0) { $0 + $1.removedCount }
        guard rows > 0 else { return }
        donations?.removed[index] += rows
        // Records that went one by one out of a zone a rule is about were counted as kept.
        let tally = donations?.tallies[index]
        donations?.tallies[index].found = max(0, (tally?.found ?? 0) - rows)
        let kept = min(tally?.kept ?? 0, donations?.tallies[index].found ?? 0)
        donations?.tallies[index].kept = kept
        var sums: [String: Int] = [:]
        for count in receipts.flatMap(\.counts) {
            sums["\(count.kind.rawValue) \(count.rule.rawValue)", default: 0] += count.rows
        }
        let note = (donations?.removed ?? []).map(String.init).joined(separator: " ")
        try await keep([
            .note(key: Self.noteKey, value: Array(note.utf8)),
            .event(
                events.event(
                    "donations deleted",
                    [
                        ("container", .text(request.targets[index].container.rawValue)),
                        (
                            "counts",
                            .object(
                                sums.sorted { $0.key < $1.key }
                                    .map { ($0.key, .number(Int64($0.value))) })
                        ),
                        ("receipts", .number(Int64(receipts.count))),
                        ("rows", .number(Int64(rows))),
                    ])),
        ])
    }

    /// Hands over every step of the plan, a page at a time.
    private mutating func eachStep(
        _ body: (inout SweepRun, Int, DeletionStep) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        var next = 0
        while true {
            let page = try await planLines(from: next)
            for (number, line) in page {
                guard case .item(.step(let step), _)? = try? PlanLine(line, line: number + 1),
                    let index = stage.place(of: step.container)
                else { continue }
                try await body(&self, index, step)
            }
            guard let last = page.last else { return }
            next = last.number + 1
        }
    }

    /// How many donations are there that should be gone, by container.
    ///
    /// - Parameter findings: What the run decided; nil: decide anew.
    static func donationsLeft(
        _ pass: DonationPass, _ findings: DonationFindings?
    ) async throws(SweepFailure) -> [Int] {
        var tallies = try await pass.look()
        for (index, zone, scope) in findings?.wholeZones ?? [] {
            tallies[index].zoneGoes(zone, scope)
        }
        return tallies.map(\.toDelete)
    }
}
