import AsyncOperations
import DonationStore
import Donations
import Foundation
import RandomSeeds
import Testing

/// Random histories against the naive model: after every step the store holds what the model
/// holds, receipts add up, previews tell the truth, and the predicates say the same.
struct ModelTests {
    private static let seeds = Seeds.ranges(
        "donation store model", 5_000, long: 200_000, sanitized: 1_000, parts: 4)

    @Test(arguments: seeds)
    func `F25 the store equals the naive model after every step`(seeds: ClosedRange<UInt64>)
        async throws
    {
        let clock = TestClock()
        var bench = try Bench(clock)
        for seed in seeds {
            guard try await bench.run(seed: seed) else {
                Issue.record("CKSWEEP_SEED=\(seed)")
                return
            }
        }
    }

    /// What came of one step, to be compared when the history has run.
    private struct Check: Sendable {
        var step: String
        var expected: [String]
        var gone: [DonationKind: Int]?
        var found: [String]?
        var receipt: DonationReceipt?
        var removed: [String]?
        var matched: [String]?
    }

    /// A store that runs one history after the other.
    private struct Bench {
        let clock: TestClock
        /// Most histories run in memory; those with a crash in a file.
        let memory: DonationStore
        private var object: UInt64 = 0

        init(_ clock: TestClock) throws {
            self.clock = clock
            memory = try memoryStore(clock) { $0.digest = { $0 } }
        }

        /// Runs a history; false when something is wrong.
        mutating func run(seed: UInt64) async throws -> Bool {
            var history = RandomHistory(seed: seed)
            var model = NaiveModel()
            var store = memory
            var folder: TemporaryFolder?
            // Opening a file costs as much as a hundred histories in memory.
            if seed % 100 == 0 {
                folder = TemporaryFolder()
                store = try fileStore(folder!, clock) {
                    $0.isDurable = false
                    $0.searchPieceBits = 5
                }
            } else {
                store.delete(.everything) { _ in }
            }
            let checks = Locked<[Check]>([])
            for number in 0..<history.pick([4, 5]) {
                let step = history.step(number, at: clock.now)
                switch step {
                case .wait(let duration):
                    try await store.flush()
                    clock.advance(by: duration)
                case .crash:
                    guard let before = folder else { continue }
                    try await store.flush()
                    folder = try before.copy()
                    store = try fileStore(folder!, clock) { $0.isDurable = false }
                default: break
                }
                take(step, on: store, &model, checks)
            }
            let name = history.pick(["i1", "g1", "p1", "x1", "a", "z1", "e1", "r1"])
            let left = try await store.remainder(mentioning: [name])
            #expect(left.count == model.mentions(name), "history \(seed): mentions of \(name)")
            return checks.withLock { $0 }.allSatisfy { check in
                Self.isRight(check, seed: seed)
            }
        }

        /// Takes a step in the model at once, and in the store when its turn comes.
        private mutating func take(
            _ step: RandomHistory.Step, on store: DonationStore, _ model: inout NaiveModel,
            _ checks: Locked<[Check]>
        ) {
            var check = Check(step: "\(step)", expected: [])
            let now = clock.now
            switch step {
            case .donate(let row): model.donate(row, at: now)
            case .activity(let row): model.donateActivity(row, at: now)
            case .index(let row): model.index(row, at: now)
            case .delete(let selector):
                check.matched = predicted(selector, model.rows)
                let before = model.rows
                check.gone = model.delete(selector)
                check.removed = before.filter { row in
                    !model.rows.contains { $0.isNamed(like: row) }
                }.map(\.summary).sorted()
            case .wait, .crash: break
            }
            check.expected = model.contents
            let number = checks.withLock { [check] checks in
                checks.append(check)
                return checks.count - 1
            }
            switch step {
            case .donate(let row): store.donate([row]) { _ in }
            case .activity(let row):
                // Each its own object: none is current already.
                object += 1
                store.becomeCurrent(row, object: object) { _ in }
            case .index(let row): store.index([(row, .replace)]) { _ in }
            case .delete(let selector):
                store.delete(selector) { result in
                    checks.withLock { $0[number].receipt = try? result.get() }
                }
            case .wait, .crash: break
            }
            store.list(.everything, limit: 1000) { result in
                let rows = (try? result.get())?.map(\.summary).sorted()
                checks.withLock { $0[number].found = rows }
            }
        }

        /// The rows that the selector's own predicate means.
        private func predicted(_ selector: DonationSelector, _ rows: [Donation]) -> [String] {
            rows.filter { row in
                let item = rows.first {
                    $0.kind == .searchableItem && $0.identifier == row.relatedIdentifier
                }
                let saved = rows.first {
                    $0.kind == .savedActivity && $0.savedKey == row.savedKey
                }
                return selector.matches(row, .init(relatedItem: item, savedActivity: saved)) != nil
            }.map(\.summary).sorted()
        }

        private static func isRight(
            _ check: Check, seed: UInt64
        ) -> Bool {
            guard check.found == check.expected else {
                Issue.record(
                    """
                    history \(seed), after \(check.step):
                    expected \(check.expected)
                    found    \(check.found ?? ["nothing"])
                    """)
                return false
            }
            guard let gone = check.gone else { return true }
            guard let receipt = check.receipt else {
                Issue.record("history \(seed): no receipt for \(check.step)")
                return false
            }
            var counted: [DonationKind: Int] = [:]
            for count in receipt.counts { counted[count.kind, default: 0] += count.rows }
            let listed = Dictionary(grouping: receipt.removed, by: \.kind).mapValues(\.count)
            var kept: [DonationKind: Int] = [:]
            for row in check.expected {
                let kind = row.split(separator: " ").first.flatMap {
                    DonationKind(rawValue: String($0))
                }
                if let kind { kept[kind, default: 0] += 1 }
            }
            let isRight =
                counted == gone && listed == gone && receipt.kept == kept
                && check.removed == check.matched && check.matched?.count == receipt.removedCount
            if !isRight {
                Issue.record(
                    """
                    history \(seed), \(check.step):
                    expected to go \(gone), counted \(counted), listed \(listed)
                    kept \(kept), receipt \(receipt.kept)
                    predicate \(check.matched ?? []), model \(check.removed ?? [])
                    """)
            }
            return isRight
        }
    }
}
