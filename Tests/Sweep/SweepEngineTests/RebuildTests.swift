import DonationStore
import Donations
import Testing

/// R10: an app that builds its index anew, from content which is as old as it is, brings nothing
/// back that the person deleted on another device.
struct RebuildTests {
    private static func items(_ names: [String]) -> [Donation] {
        names.map { name in
            var item = Donation(
                .searchableItem, identifier: name, type: "public.text", at: Bench.now)
            item.title = "About \(name)"
            item.domain = name.hasPrefix("old") ? "archive.\(name)" : nil
            return item
        }
    }

    private static func items(_ bench: SyncBench, _ device: String) async throws -> [String] {
        try await bench.with(device) { try await $0.list(.searchableItem).map(\.identifier) }
    }

    private func settle(_ bench: SyncBench) async throws {
        for device in ["phone", "tablet", "phone", "tablet"] {
            let outcome = try await bench.sync(device)
            #expect(outcome.status == .done, "\(device): \(outcome.explanation)")
        }
    }

    @Test func `R10 a rebuilt index revives nothing that another device deleted`() async throws {
        let bench = try SyncBench()
        let all = ["kept", "named", "old-one", "old-two"]
        for device in ["phone", "tablet"] {
            try await bench.enable(device)
            _ = try await bench.with(device) { store in
                try await store.index(Self.items(all).map { ($0, .replace) })
            }
        }
        try await settle(bench)
        _ = try await bench.with("phone") { store in
            try await store.delete(
                .searchableItems(identifiers: ["named"], indexName: nil), scope: .everywhere)
            try await store.delete(
                .searchableDomains(["archive"], indexName: nil), scope: .everywhere)
        }
        try await settle(bench)
        #expect(try await Self.items(bench, "tablet") == ["kept"])

        // Both apps still have the content, and one thing that is new.
        for device in ["phone", "tablet"] {
            try await bench.with(device) { store in
                try await store.rebuild(indexName: nil, items: Self.items(all + ["new"]))
                #expect(try await store.list(.searchableItem).map(\.identifier) == ["kept", "new"])
                let refused = try await store.outcomes(limit: 4).compactMap(\.outcome)
                #expect(refused == [.refusedDeleted, .refusedDeleted, .refusedDeleted])
            }
        }
        try await settle(bench)
        #expect(try await Self.items(bench, "phone") == ["kept", "new"])

        // Whoever makes it again has it again, and a rebuild leaves it.
        try await bench.with("tablet") { store in
            #expect(try await store.index([(Self.items(["named"])[0], .replace)]) == [.stored])
            let offered = Self.items(["kept", "new", "named", "old-one"])
            try await store.rebuild(indexName: nil, items: offered)
        }
        try await settle(bench)
        for device in ["phone", "tablet"] {
            #expect(try await Self.items(bench, device) == ["kept", "new", "named"])
        }
    }

    @Test func `R10 a deletion on this device alone forbids nothing`() async throws {
        let bench = try SyncBench()
        try await bench.enable("phone")
        try await bench.with("phone") { store in
            _ = try await store.index([(Self.items(["a"])[0], .replace)])
            try await store.delete(
                .searchableItems(identifiers: ["a"], indexName: nil), scope: .thisDevice)
            try await store.rebuild(indexName: nil, items: Self.items(["a"]))
            #expect(try await store.list(.searchableItem).map(\.identifier) == ["a"])
        }
    }

    @Test func `R10 a batch that answers a request brings nothing back either`() async throws {
        let bench = try SyncBench()
        try await bench.enable("phone")
        try await bench.with("phone") { store in
            _ = try await store.index(Self.items(["a", "b"]).map { ($0, .replace) })
            try await store.delete(.everything, scope: .everywhere)
            let batch = ItemBatch(indexName: "notes")
            let items = Self.items(["a", "b"]).map { ($0, DonationStore.ItemWrite.replace) }
            _ = try await store.index(items, rebuilt: ["a"], batch: batch)
            try await store.end(batch, clientState: [1])
            #expect(try await store.list(.searchableItem).map(\.identifier) == ["b"])
        }
    }
}
