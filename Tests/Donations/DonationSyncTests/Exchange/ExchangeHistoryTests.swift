import Basics
import CloudModel
import DonationSync
import Donations
import Foundation
import MockStore
import RandomSeeds
import SyncStorageContract
import Testing

/// Random histories of three devices: what was deleted everywhere never is anywhere, and in the
/// end all have the same.
struct ExchangeHistoryTests {
    private static let seeds = Seeds.range("exchange histories", 16, long: 1_000)

    @Test(arguments: seeds)
    func `nothing comes back, and all come to the same`(seed: UInt64) throws {
        let history = try ExchangeHistory(seed: seed)
        for _ in 0..<70 { history.step() }
        history.settle()
        #expect(history.cameBack() == [], "CKSWEEP_SEED=\(seed)")
        #expect(history.differences() == [], "CKSWEEP_SEED=\(seed)")
        #expect(history.lost() == [], "CKSWEEP_SEED=\(seed)")
    }
}

/// One random history.
private final class ExchangeHistory {
    private struct Event {
        let row: Donation
        /// The deletions that its maker's device had, by their places in `deletions`.
        let seen: Set<Int>
        /// Whether the device was in the register: what a newcomer made before may go with what
        /// was collected before it came.
        let isJoined: Bool
    }
    private struct Deletion {
        let selector: DonationSelector
        let at: Timestamp
        let maker: Int
    }

    private let world: ExchangeWorld
    private var random: SeededGenerator
    private var devices: [ExchangeDevice] = []
    /// The deletions each device knows.
    private var known: [Set<Int>] = []
    private var snapshots: [Int: (MemoryStorage, Set<Int>)] = [:]
    private var events: [String: Event] = [:]
    private var deletions: [Deletion] = []
    /// Which deletion a device's name and number stand for.
    private var numbers: [String: Int] = [:]
    /// More than one when an opponent took the zone's record while nobody was left who knew it:
    /// what was deleted in the former zone says nothing about the new one.
    private var incarnations: Set<String> = []
    private var count = 0
    private var hasRolledBack = false
    private let deletesHere: Bool
    private let isRough: Bool

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        var options = MockOptions()
        if seed % 5 == 0 { options.recordsPageMax = 3 }
        world = try ExchangeWorld(options: options)
        deletesHere = seed % 3 == 0
        isRough = seed % 4 >= 2
        for index in 0..<3 {
            devices.append(
                ExchangeDevice(
                    world, seed: seed &* 10 &+ UInt64(index), includesItems: seed % 7 == 0
                ) { $0.deletionsKept = seed % 2 == 0 ? 1 : 1000 })
            known.append([])
        }
    }

    private func pick<T>(_ all: [T]) -> T { all[Int(random.next() % UInt64(all.count))] }

    func step() {
        let index = Int(random.next() % 3)
        let device = devices[index]
        switch random.unit() {
        case ..<0.42: donate(device, index)
        case ..<0.56: delete(device, index)
        case ..<0.60 where deletesHere:
            device.delete(selector(), .thisDevice)
        case ..<0.64: snapshots[index] = (device.storage, known[index])
        case ..<0.68:
            guard let (storage, deletions) = snapshots[index] else { return }
            device.storage = storage
            known[index] = deletions
            hasRolledBack = true
        case ..<0.70 where isRough: disturb()
        default: sync(index, loss: 0.12)
        }
    }

    /// What the service, time and opponents do.
    private func disturb() {
        switch random.next() % 5 {
        case 0: try? world.forgetHistory()
        case 1:
            // A newcomer would make another zone of it.
            guard devices.allSatisfy({ $0.storage.exchange().incarnation != nil }) else { return }
            try? world.modify([.forceDelete("zone")])
        case 2: world.pass(.seconds(200 * 86_400))
        default:
            let names = world.records.keys.sorted().filter { $0 != "zone" }
            if !names.isEmpty { try? world.modify([.forceDelete(pick(names))]) }
        }
    }

    func settle() {
        for _ in 0..<6 { for index in devices.indices { sync(index, loss: 0) } }
    }

    private func sync(_ index: Int, loss: Double) {
        world.fault = { [self] _ in
            guard random.unit() < loss else { return (nil, nil) }
            let error = CloudError(.responseLost)
            return Bool.random(using: &random)
                ? (CloudError(.networkFailure), nil) : (nil, error)
        }
        world.pass(.seconds(300))
        devices[index].sync()
        world.fault = nil
        note(index)
    }

    /// Notes what a device knows now: what its context includes.
    private func note(_ index: Int) {
        for deletion in devices[index].storage.deletions() {
            guard let place = deletions.firstIndex(where: { $0.at == deletion.at }) else {
                continue
            }
            numbers["\(deletion.device) \(deletion.sequence)"] = place
            known[index].insert(place)
        }
        let context = devices[index].storage.exchange().context
        if let nonce = devices[index].storage.exchange().incarnation { incarnations.insert(nonce) }
        for (name, place) in numbers {
            let parts = name.split(separator: " ")
            if Int64(parts[1]) ?? .max <= context[String(parts[0])] ?? 0 {
                known[index].insert(place)
            }
        }
    }

    private func donate(_ device: ExchangeDevice, _ index: Int) {
        count += 1
        var row: Donation
        switch random.next() % 4 {
        case 0: row = .interaction(pick(["i1", "i2", "i\(count)"]), group: pick([nil, "g1"]))
        case 1:
            row = .activity(pick([nil, "p1"]), title: "t", related: pick([nil, "x1"]))
            row.domain = pick([nil, "a", "a.b", "ab"])
        case 2:
            row = .item(pick(["x1", "x2"]), domain: pick([nil, "a", "a.b", "ab"]))
        default: row = .interaction("i\(count)", group: pick([nil, "g1", "g2"]))
        }
        row.actionID = "e\(count)"
        let outcome = device.donate(row)
        guard outcome == .stored || outcome == .replaced else { return }
        row.donatedAt = world.now
        row.begin = Timestamp(milliseconds: 0)
        events["e\(count)"] = Event(
            row: row, seen: known[index],
            isJoined: device.storage.exchange().isRegistered)
    }

    private func selector() -> DonationSelector {
        switch random.next() % 8 {
        case 0: .interactions(identifiers: [pick(["i1", "i2"])])
        case 1: .interactionGroup("g1")
        case 2: .activities(persistentIdentifiers: ["p1"])
        case 3: .searchableItems(identifiers: ["x1"], indexName: nil)
        case 4: .searchableDomains([pick(["a", "a.b"])], indexName: nil)
        case 5: .allActivities
        case 6: .allSearchableItems(indexName: nil)
        default: .allInteractions
        }
    }

    private func delete(_ device: ExchangeDevice, _ index: Int) {
        let selector = selector()
        device.delete(selector)
        known[index].insert(deletions.count)
        deletions.append(Deletion(selector: selector, at: world.now, maker: index))
    }

    // MARK: What must hold

    private func live(_ index: Int) -> [SyncedRow] {
        devices[index].storage.rows(after: nil, limit: .max)
    }

    /// Whether a deletion ever reached the zone: some device other than its maker had it, or the
    /// maker sent it.
    private func reached(_ place: Int) -> Bool {
        // What an opponent took from the zone before anybody read it, and its maker forgot when it
        // was rolled back, nobody knows.
        numbers.values.contains(place) && (!isRough || known.contains { $0.contains(place) })
    }

    func cameBack() -> [String] {
        guard incarnations.count == 1 else { return [] }
        let reached = deletions.indices.filter(reached)
        var found: [String] = []
        for index in devices.indices {
            for row in live(index) {
                guard let name = row.donation.actionID, let event = events[name] else { continue }
                for place in reached where !event.seen.contains(place) {
                    guard
                        deletions[place].selector.matches(
                            event.row.kind == row.donation.kind ? event.row : row.donation) != nil
                    else { continue }
                    found.append(
                        "\(name) \(row.donation.kind) on \(index): \(deletions[place].selector)")
                }
            }
        }
        return found
    }

    func differences() -> [String] {
        guard !deletesHere else { return [] }
        let sets = devices.indices.map { index in
            Set(
                live(index).filter { $0.donation.kind != .searchableItem }.map {
                    "\($0.donation.kind) \($0.donation.actionID ?? "?") \($0.recordName ?? "-")"
                })
        }
        var found: [String] = []
        for index in 1..<sets.count where sets[index] != sets[0] {
            found += sets[0].subtracting(sets[index]).map { "only on 0, not on \(index): \($0)" }
            found += sets[index].subtracting(sets[0]).map { "only on \(index): \($0)" }
        }
        return found.sorted()
    }

    /// Rows that no deletion means that their maker had not seen, and that are nowhere.
    func lost() -> [String] {
        guard !hasRolledBack, !deletesHere, !isRough else { return [] }
        let alive = Set(devices.indices.flatMap { live($0).compactMap(\.donation.actionID) })
        return events.filter { name, event in
            guard event.row.kind == .interaction, event.isJoined, !alive.contains(name) else {
                return false
            }
            // One thing for the app: only the latest counts.
            guard !["i1", "i2"].contains(event.row.identifier) else { return false }
            return !deletions.contains {
                $0.selector.matches(event.row) != nil && $0.at >= event.row.donatedAt
            }
                && !deletions.indices.contains {
                    !event.seen.contains($0)
                        && deletions[$0].selector.matches(event.row) != nil
                }
        }.keys.sorted()
    }
}
