import AsyncOperations
import Basics
import DonationStore
import Donations
import Foundation
import MockStore
import Testing

/// Mistakes of real apps that need a sync to be made, each with what keeps it from being made here.
struct SyncMistakeTests {
    private func settle(
        _ bench: SyncBench, _ devices: [String], allowing more: Basics.ExitStatus = .done
    ) async throws {
        for _ in 0..<2 {
            for device in devices {
                let outcome = try await bench.sync(device)
                #expect(
                    outcome.status == .done || outcome.status == more,
                    "\(device): \(outcome.explanation)")
            }
        }
    }

    private func delete(_ bench: SyncBench, _ device: String, _ name: String) async throws {
        _ = try await bench.with(device) {
            try await $0.delete(.interactions(identifiers: [name]), scope: .everywhere)
        }
    }

    @Test func `M17 a device that was away does not bring a deletion back`() async throws {
        let bench = try SyncBench()
        for device in ["phone", "tablet"] { try await bench.enable(device) }
        try await bench.donate("phone", "kept", "deleted")
        try await settle(bench, ["phone", "tablet"])
        #expect(try await bench.names("tablet") == ["deleted", "kept"])
        try await delete(bench, "phone", "deleted")
        #expect(try await bench.sync("phone").status == .done)
        // The tablet was away; its copy is as old as its knowledge.
        try await settle(bench, ["tablet", "phone"])
        for device in ["phone", "tablet"] {
            #expect(try await bench.names(device) == ["kept"])
        }
    }

    @Test func `M17 a device from an old backup does not bring a deletion back`() async throws {
        let bench = try SyncBench()
        for device in ["phone", "tablet"] { try await bench.enable(device) }
        try await bench.donate("phone", "kept", "deleted")
        try await settle(bench, ["phone", "tablet"])
        let files = FileManager.default
        let backup = bench.folder("backup")
        try files.copyItem(atPath: bench.folder("tablet"), toPath: backup)
        try await delete(bench, "tablet", "deleted")
        try await settle(bench, ["tablet", "phone"])
        try files.removeItem(atPath: bench.folder("tablet"))
        try files.copyItem(atPath: backup, toPath: bench.folder("tablet"))
        #expect(try await bench.names("tablet") == ["deleted", "kept"])
        try await settle(bench, ["tablet", "phone"])
        for device in ["phone", "tablet"] {
            #expect(try await bench.names(device) == ["kept"])
        }
    }

    @Test func `M17 what was emptied is not filled again by who still has it`() async throws {
        let bench = try SyncBench()
        for device in ["phone", "tablet"] { try await bench.enable(device) }
        try await bench.donate("phone", "a", "b", "c")
        try await settle(bench, ["phone", "tablet"])
        _ = try await bench.with("phone") {
            try await $0.delete(.allInteractions, scope: .everywhere)
        }
        // Before the phone could say so, the tablet syncs and donates.
        try await bench.donate("tablet", "concurrent")
        #expect(try await bench.sync("tablet").status == .done)
        // The row that the deletion covers is refused, and that is reported (R11).
        try await settle(bench, ["phone", "tablet"], allowing: .partlyFailed)
        for device in ["phone", "tablet"] { #expect(try await bench.names(device) == []) }
        // What is donated by who knows of the deletion lives (M18).
        try await bench.donate("tablet", "a")
        try await settle(bench, ["tablet", "phone"])
        for device in ["phone", "tablet"] { #expect(try await bench.names(device) == ["a"]) }
    }

    @Test func `M19 an expired token neither loses nor revives anything`() async throws {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        for device in ["phone", "tablet"] { try await bench.enable(device) }
        try await bench.donate("phone", "linked", about: "Notes-1")
        try await bench.donate("phone", "gone", about: "Notes-2")
        try await bench.donate("phone", "never uploaded", about: "not in the cloud yet")
        try await bench.donate("phone", "exchanged", "deleted")
        try await settle(bench, ["phone", "tablet"])
        try await delete(bench, "tablet", "deleted")
        #expect(try await bench.sync("tablet").status == .done)
        try bench.delete("Notes-2")
        _ = try bench.bench.cloud.withStore { try $0.expireTokens() }
        try await settle(bench, ["phone", "tablet"])
        let left = ["exchanged", "linked", "never uploaded"]
        for device in ["phone", "tablet"] { #expect(try await bench.names(device) == left) }
    }

    @Test func `M19 an insert whose answer was lost is not made twice, nor taken for a failure`()
        async throws
    {
        let bench = try SyncBench()
        for device in ["phone", "tablet"] { try await bench.enable(device) }
        try await bench.donate("phone", "a", "b")
        let lost = Locked(0)
        let tape = Tape { _, entry in
            guard entry.command.isModifying, lost.withLock({ $0 < 6 }) else { return nil }
            return lost.withLock { lost in
                lost += 1
                return lost % 2 == 1 ? .lose : nil
            }
        }
        // The clock of these devices moves only between rounds, and so does a wait.
        for hour in 0..<8 {
            try await bench.with("phone") { store in
                let moment = Bench.now.advanced(by: .seconds(Int64(hour) * 3600))
                _ = await bench.sync(bench.world("phone", store, at: moment), tape)
            }
        }
        #expect(lost.withLock { $0 } > 2)
        #expect(try await bench.names("phone") == ["a", "b"])
        #expect(try await bench.sync("tablet").status == .done)
        #expect(try await bench.names("tablet") == ["a", "b"])
    }
}
