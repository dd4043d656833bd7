import Basics
import CloudModel
import DonationSync
import Donations
import Testing

/// The one rule: what a page brought, the token behind it and the work left are one transaction.
///
/// A service with a feed that is a plain list, a driver that loses answers, transactions and itself
/// at random, and a model that says after every step what must be there.
@Suite struct OneRuleTests {
    /// A zone's feed: its entries in order; a token is the number of those delivered.
    private struct Feed {
        var entries: [(name: String, isAlive: Bool)] = []

        func page(after token: ChangeToken?, _ limit: Int) -> (
            items: [Record.Item], token: String, more: Bool
        ) {
            let from = token.flatMap { Int($0.rawValue.dropFirst()) } ?? 0
            let until = min(entries.count, from + limit)
            let items = entries[from..<until].map { entry in
                entry.isAlive ? Script.live(entry.name) : Script.dead(entry.name)
            }
            return (items, "z\(until)", until < entries.count)
        }

        /// The names that are deleted by the first so many entries.
        func dead(after count: Int) -> Set<String> {
            var dead: Set<String> = []
            for entry in entries.prefix(count) {
                if entry.isAlive { continue }
                dead.insert(entry.name)
            }
            return dead
        }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `after every step, storage is as its token says`(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var script = Script()
        var feed = Feed()
        let names = (0..<30).map { "r\($0)" }
        feed.entries = names.map { ($0, true) }
        for name in names { script.donate(about: name) }
        var left = names
        var action = script.start()
        var steps = 0
        while !(action == .idle && left.isEmpty), steps < 4000 {
            steps += 1
            if !left.isEmpty, chance.next() % 8 == 0 {
                let place = Int(chance.next() % UInt64(left.count))
                feed.entries.append((left.remove(at: place), false))
            }
            let before = script.storage
            switch action {
            case .read(.caller): action = script.user()
            case .read(.databaseChanges): action = script.zones(["Z"], token: "d\(steps)")
            case .read(.zoneChanges(let requests)):
                let page = feed.page(after: requests[0].token, Int(chance.next() % 4))
                action = script.records(
                    "Z", page.items, token: page.token, more: page.more)
            case .read:
                Issue.record("\(action)")
                return
            case .wait(let until, _):
                script.now = until
                action = script.start()
            case .idle, .again, .write, .halted: action = script.start()
            }
            switch chance.next() % 10 {
            case 0:
                // The transaction was not kept, and the process went with it.
                script.storage = before
                script.crash()
                action = script.start()
            case 1:
                script.crash()
                action = script.start()
            case 2:
                // The answer was lost.
                action = script.fail(.responseLost)
            default: break
            }
            check(script, feed, seed)
        }
        #expect(script.shown.isEmpty, "seed \(seed), \(steps) steps")
        #expect(steps < 4000, "seed \(seed)")
    }

    private func check(_ script: Script, _ feed: Feed, _ seed: UInt64) {
        let zone = script.storage.zone(script.id("Z"), at: script.address)
        let delivered = zone?.token.flatMap { Int($0.rawValue.dropFirst()) } ?? 0
        let dead = feed.dead(after: delivered)
        let expected = (0..<30).map { "r\($0)" }.filter { !dead.contains($0) }.map { "Z/\($0)" }
        #expect(script.shown == expected.sorted(), "seed \(seed), token \(delivered)")
    }
}
