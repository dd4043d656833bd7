import AsyncOperations
import Basics
import DonationScript
import DonationStore
import Donations
import Foundation
import RandomSeeds
import Testing

/// Ends the store's life at every step that reaches the disk, and tears the last write.
struct CrashTests {
    static let script = DonationScript.calls(seed: 5)

    /// No file without a row, no row without a file.
    static func expectNoOrphan(_ store: DonationStore, _ folder: TemporaryFolder) async throws {
        let named = try await store.list(.interaction).flatMap { $0.images.compactMap(\.file) }
        #expect(folder.images == named.sorted())
    }

    /// What the script left behind: the state after each call, and a copy of the files at each step
    /// that reached the disk, with how many calls had completed by then.
    struct Trace {
        var states: [[String]] = [[]]
        var copies: [(step: StoreStep, after: Int, folder: TemporaryFolder)] = []

        init(of steps: Set<StoreStep>) async throws {
            let folder = TemporaryFolder()
            let completed = Locked(0)
            let copies = Locked<[(StoreStep, Int, TemporaryFolder)]>([])
            let store = try fileStore(folder) { configuration in
                configuration.isDurable = false
                configuration.searchPieceBits = 2
                configuration.hook = { step in
                    guard steps.contains(step) else { return }
                    let copy = try folder.copy()
                    let count = completed.withLock { $0 }
                    copies.withLock { $0.append((step, count, copy)) }
                }
            }
            for (number, call) in CrashTests.script.enumerated() {
                try await DonationScript.carryOut(call, on: store, number: number)
                states.append(try await DonationScript.state(store))
                completed.withLock { $0 += 1 }
            }
            await store.flushAndClose()
            self.copies = copies.withLock { $0 }
            copies.withLock { $0 = [] }
        }
    }

    @Test
    func `F1 I9 killed at any step, the store has what was complete and no image file too many`()
        async throws
    {
        var trace = try await Trace(
            of: [.beforeImage, .afterImage, .beforeCommit, .afterCommit, .beforeImageRemoval])
        #expect(trace.copies.count > 2 * Self.script.count)
        while let (_, after, copy) = trace.copies.popLast() {
            let reopened = try fileStore(copy) { $0.isDurable = false }
            let found = try await DonationScript.state(reopened)
            // The call that was under way is there wholly or not at all.
            #expect(found == trace.states[after] || found == trace.states[after + 1])
            try await Self.expectNoOrphan(reopened, copy)
        }
    }

    /// Each commit's frames are written in part: up to each boundary and into the middle of each
    /// frame in a long run, else two places for each commit.
    @Test func `I9 a torn write costs the torn commit only`() async throws {
        var trace = try await Trace(of: [.beforeCommit, .afterCommit])
        var generator = SeededGenerator(seed: 11)
        var torn = 0
        while let (step, _, folder) = trace.copies.popLast() {
            guard step == .afterCommit, let (_, after, before) = trace.copies.popLast() else {
                continue
            }
            let log = "/donations.sqlite-wal"
            let new = try Data(contentsOf: URL(fileURLWithPath: folder.path + log))
            let old = try Data(contentsOf: URL(fileURLWithPath: before.path + log))
            var cuts: [Int] = []
            for start in stride(from: 32, to: new.count, by: 24 + 4096) {
                for cut in [start, start + 24, start + 2000]
                where cut > old.count || new[start..<cut] != old[start..<min(cut, old.count)] {
                    cuts.append(cut)
                }
            }
            if !Seeds.isLong { cuts = cuts.shuffled(using: &generator).prefix(2) + [] }
            for cut in cuts where cut < new.count {
                let copy = try before.copy()
                try (new.prefix(cut) + old.dropFirst(cut)).write(
                    to: URL(fileURLWithPath: copy.path + log))
                let reopened = try fileStore(copy) { $0.isDurable = false }
                #expect(
                    try await DonationScript.state(reopened) == trace.states[after], "cut at \(cut)"
                )
                torn += 1
            }
        }
        #expect(torn > Self.script.count)
    }

    @Test func `a store that was cut off takes nothing more and says so`() async throws {
        let folder = TemporaryFolder()
        let store = try fileStore(folder) { configuration in
            configuration.isDurable = false
            configuration.hook = { step in
                if step == .beforeCommit { throw CancellationError() }
            }
        }
        for _ in 0..<2 {
            let error = await #expect(throws: DonationError.self) {
                try await store.donate(.interaction("a"))
            }
            #expect(error?.code == .broken)
        }
        #expect(try await fileStore(folder.copy()).counts() == [:])
    }
}
