import CloudModel
import DeletionPlanning
import DonationStore
import DonationSync
import Donations
import Journal

/// The local donations linked to what a sweep deletes: counted, deleted before the content they
/// tell of, and looked for again. They lie in no database, so they are no ``Place``.
struct DonationStage: Sendable {
    let store: DonationStore
    let request: SweepRequest
    /// In the order of the list; empty until they were read.
    private(set) var tallies: [DonationTally] = []
    /// Rows deleted by the run so far.
    private(set) var removed: [Int] = []
    /// Zones that go as a whole although a rule is about them.
    private var wholeZones: [(container: Int, zone: RecordZone.ID, scope: Database.Scope)] = []
    /// Whether the store could be read.
    var isRead: Bool { !tallies.isEmpty }

    private static let noteKey = "donations"

    init(store: DonationStore, request: SweepRequest) {
        self.store = store
        self.request = request
    }

    /// How many donations are to be deleted.
    var toDelete: Int { tallies.reduce(0) { $0 + $1.toDelete } }
    /// Whether the plan has to say what becomes of some zones' donations.
    var hasUndecided: Bool { tallies.contains { !$0.undecided.isEmpty } }
    /// What was found before anything was deleted.
    func found(_ index: Int) -> Int { tallies[index].found + removed[index] }

    // MARK: Looking

    /// Looks at the donation store.
    ///
    /// - Returns: rows that say why not, when it cannot be read.
    mutating func look(
        _ journal: any Journal, _ run: Int64
    ) async throws(SweepFailure) -> [CoverageRow] {
        let noted: [UInt8]?
        do throws(JournalError) {
            noted = try await journal.note(run: run, key: Self.noteKey)
        } catch {
            throw .journal(error)
        }
        do throws(DonationError) {
            let found = try await linked()
            var counts = [Int](repeating: 0, count: found.count)
            for (index, field) in (noted ?? []).split(separator: 0x20).enumerated() {
                guard counts.indices.contains(index),
                    let count = Int(String(decoding: field, as: UTF8.self))
                else { throw DonationError(.corrupt, "the run's note on donations is damaged") }
                counts[index] = count
            }
            tallies = found
            removed = counts
            return []
        } catch {
            return unreadable(error)
        }
    }

    private func linked() async throws(DonationError) -> [DonationTally] {
        var tallies: [DonationTally] = []
        for target in request.targets {
            let groups = try await store.linkedZones(of: target.container.rawValue)
            tallies.append(DonationTally(groups, of: target.container, request))
        }
        return tallies
    }

    /// The rows of donations that cannot be read.
    private func unreadable(_ error: DonationError) -> [CoverageRow] {
        request.targets.map {
            CoverageRow(
                container: $0.container, scope: .private, kind: .donations,
                outcome: .notLookedAt,
                reason: "cannot read the donation store: \(error.reason)")
        }
    }

    /// Tells what was found.
    func tell(_ tell: (SweepEvent) -> Void) {
        for (target, tally) in zip(request.targets, tallies) where tally.found > 0 {
            tell(.discovered(target.container, .private, .donations, found: tally.found))
        }
    }

    /// How many donations are there that should be gone, by container; or rows that say why nobody
    /// knows.
    func left() async -> (counts: [Int], unread: [CoverageRow]) {
        do throws(DonationError) {
            var tallies = try await linked()
            for (index, zone, scope) in wholeZones { tallies[index].zoneGoes(zone, scope) }
            return (tallies.map(\.toDelete), [])
        } catch {
            return ([], unreadable(error))
        }
    }

    // MARK: Deleting

    /// Takes notice of what the plan deletes as a whole.
    mutating func decide(_ step: DeletionStep, _ index: Int) {
        guard case .zones(let zones) = step.work, tallies.indices.contains(index),
            step.forbidden(by: request.policy) == nil
        else { return }
        let undecided = tallies[index].undecided
        for zone in zones where undecided.contains(where: { $0.isIn(zone, step.scope) }) {
            tallies[index].zoneGoes(zone, step.scope)
            wholeZones.append((index, zone, step.scope))
        }
    }

    /// Has the store take no donations about zones that a run erases, from now on.
    func fence(
        _ zones: [RecordZone.ID], at address: Database.Address, by run: RunRow,
        of users: [Container.ID: UserIdentity]
    ) async throws(SweepFailure) {
        let fences = zones.map {
            SyncFence(
                address: address, zone: $0, run: run.id, since: run.began,
                user: users[address.container]?.userRecordName)
        }
        do throws(DonationError) {
            try await store.sync { sync throws(DonationError) in try sync.setFences(fences) }
        } catch {
            throw .donations(error)
        }
    }

    /// Deletes what is linked to a container and decided about.
    ///
    /// - Returns: what the journal is to note.
    mutating func deleteLinked(
        _ index: Int, _ events: EventWriter
    ) async throws(SweepFailure) -> [JournalChange] {
        guard tallies.indices.contains(index) else { return [] }
        return settle(try await delete(tallies[index].selectors), index, events)
    }

    /// Deletes the donations of records that go one by one out of a zone a rule is about.
    mutating func deleteRecords(
        of step: DeletionStep, _ index: Int, _ events: EventWriter
    ) async throws(SweepFailure) -> [JournalChange] {
        guard case .records(let zone, _, let names) = step.work, tallies.indices.contains(index)
        else { return [] }
        let selectors = tallies[index].selectors(ofRecords: names, in: zone, step.scope)
        return settle(try await delete(selectors), index, events)
    }

    /// Deletes what the selectors mean; those that wait together share one commit. When this
    /// returns, it is gone for good.
    private func delete(
        _ selectors: [DonationSelector]
    ) async throws(SweepFailure) -> [DonationReceipt] {
        let results = await withTaskGroup(of: Result<DonationReceipt, DonationError>.self) {
            group in
            for selector in selectors {
                group.addTask { [store] in
                    do throws(DonationError) {
                        return .success(try await store.delete(selector, scope: .everywhere))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<DonationReceipt, DonationError>] = []
            for await result in group { results.append(result) }
            return results
        }
        do throws(DonationError) {
            var receipts: [DonationReceipt] = []
            for result in results { receipts.append(try result.get()) }
            return receipts
        } catch {
            throw .donations(error)
        }
    }

    /// Counts what a deletion removed; its receipts become an event of the evidence.
    private mutating func settle(
        _ receipts: [DonationReceipt], _ index: Int, _ events: EventWriter
    ) -> [JournalChange] {
        let rows = receipts.reduce(0) { $0 + $1.removedCount }
        guard rows > 0 else { return [] }
        removed[index] += rows
        tallies[index].take(rows)
        var sums: [String: Int] = [:]
        for count in receipts.flatMap(\.counts) {
            sums["\(count.kind.rawValue) \(count.rule.rawValue)", default: 0] += count.rows
        }
        let note = removed.map(String.init).joined(separator: " ")
        let counts = sums.sorted { $0.key < $1.key }.map {
            ($0.key, EventValue.number(Int64($0.value)))
        }
        return [
            .note(key: Self.noteKey, value: Array(note.utf8)),
            .event(
                events.event(
                    "donations deleted",
                    [
                        ("container", .text(request.targets[index].container.rawValue)),
                        ("counts", .object(counts)),
                        ("receipts", .number(Int64(receipts.count))),
                        ("rows", .number(Int64(rows))),
                    ])),
        ]
    }
}
