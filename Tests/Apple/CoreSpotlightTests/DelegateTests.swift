import AsyncOperations
import CoreSpotlight
import DonationStore
import DonationSync
import Foundation
import Testing

/// Asking the delegate: around expiry, and for a new index.
struct DelegateTests {
    /// An app that has some content, and answers by a rule.
    final class App: NSObject, CSSearchableIndexDelegate, Sendable {
        enum Manner: Sendable { case good, silent, late, wipes }
        let manner: Manner
        let content: Locked<Set<String>>
        let asked = Locked<[[String]]>([])
        let kept = Locked<(@Sendable () -> Void)?>(nil)

        init(_ content: Set<String>, _ manner: Manner = .good) {
            self.content = Locked(content)
            self.manner = manner
        }

        func searchableIndex(
            _ searchableIndex: CSSearchableIndex,
            reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
                @escaping @Sendable () -> Void
        ) {
            let all = content.withLock { $0.sorted() }
            asked.withLock { $0.append(["*"]) }
            if manner == .wipes { searchableIndex.deleteAllSearchableItems() }
            answer(searchableIndex, all, acknowledgementHandler)
        }

        func searchableIndex(
            _ searchableIndex: CSSearchableIndex,
            reindexSearchableItemsWithIdentifiers identifiers: [String],
            acknowledgementHandler: @escaping @Sendable () -> Void
        ) {
            asked.withLock { $0.append(identifiers.sorted()) }
            let left = content.withLock { content in identifiers.filter { content.contains($0) } }
            answer(searchableIndex, left, acknowledgementHandler)
        }

        private func answer(
            _ index: CSSearchableIndex, _ identifiers: [String],
            _ acknowledge: @escaping @Sendable () -> Void
        ) {
            switch manner {
            case .silent: break
            case .late: kept.withLock { $0 = acknowledge }
            case .good, .wipes:
                index.indexSearchableItems(identifiers.map { Spotlight.item($0) }) { _ in
                    acknowledge()
                }
            }
        }
    }

    @Test func `F49 D13 and A9 an expired item is hidden, then renewed or deleted like any other`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let app = App(["stays"])
            let index = CSSearchableIndex.default()
            index.indexDelegate = app
            try await index.indexSearchableItems([
                Spotlight.item("stays"), Spotlight.item("goes"),
            ])
            try await spotlight.view("of-stays", related: "stays")
            try await spotlight.view("of-goes", related: "goes")
            spotlight.advance(days: 29)
            #expect(try await spotlight.store.search("goes", limit: 5).first == "goes")
            #expect(try await spotlight.store.expire().isEmpty)
            #expect(app.asked.withLock { $0 }.isEmpty)
            spotlight.advance(days: 2)
            #expect(try await !spotlight.store.search("goes", limit: 5).contains("goes"))
            #expect(try await spotlight.items() == ["goes", "stays"])
            let receipts = try await spotlight.store.expire()
            #expect(app.asked.withLock { $0 } == [["goes", "stays"]])
            #expect(try await spotlight.items() == ["stays"])
            #expect(try await spotlight.activities() == ["of-stays"])
            #expect(receipts.reduce(0) { $0 + $1.removedCount(.searchableItem) } == 1)
            // Renewed for another month.
            spotlight.advance(days: 29)
            #expect(try await spotlight.store.search("stays", limit: 5).contains("stays"))
        }
    }

    @Test func `D13 the delegate of a named index is asked about its own items`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            let app = App(["a"])
            index.indexDelegate = app
            try await index.indexSearchableItems([Spotlight.item("a")])
            try await CSSearchableIndex.default().indexSearchableItems([Spotlight.item("b")])
            spotlight.advance(days: 31)
            try await spotlight.store.expire()
            #expect(app.asked.withLock { $0 } == [["a"]])
            #expect(try await spotlight.items() == ["a"])
        }
    }

    @Test func `D13 a delegate that drops the handler is waited for no longer`() async throws {
        try await Spotlight.run { spotlight in
            let app = App(["a"], .silent)
            let index = CSSearchableIndex.default()
            index.indexDelegate = app
            try await index.indexSearchableItems([Spotlight.item("a")])
            spotlight.advance(days: 31)
            try await spotlight.store.expire()
            #expect(try await spotlight.items().isEmpty)
            #expect(index.warnings.map(\.code) == [.notAcknowledged])
        }
    }

    @Test func `M10 what is not offered again is deleted, with what relates to it`() async throws {
        try await Spotlight.run { spotlight in
            let app = App(["a", "new"])
            let index = CSSearchableIndex(name: "notes")
            index.indexDelegate = app
            try await index.indexSearchableItems([
                Spotlight.item("a"), Spotlight.item("gone"),
            ])
            try await CSSearchableIndex.default().indexSearchableItems([Spotlight.item("other")])
            try await spotlight.view("of-gone", related: "gone")
            try await spotlight.interact("said")
            let report = try await index.reindexAllItems()
            #expect(report.isAcknowledged && report.offered == 2 && report.removed == 1)
            #expect(try await spotlight.items() == ["a", "new", "other"])
            #expect(try await spotlight.activities().isEmpty)
            #expect(try await spotlight.interactions() == ["said"])

            app.content.withLock { $0 = ["a"] }
            let second = try await index.reindexItems(withIdentifiers: ["a", "new", "unknown"])
            #expect(second.offered == 1 && second.removed == 1)
            #expect(try await spotlight.items() == ["a", "other"])
        }
    }

    @Test func `R10 what was deleted on all devices does not come back by asking the delegate`()
        async throws
    {
        try await Spotlight.run { spotlight in
            try await spotlight.store.sync { sync throws(DonationError) in
                try Exchange.setOn(true, &sync)
            }
            let app = App(["a", "b", "c"])
            let index = CSSearchableIndex(name: "notes")
            index.indexDelegate = app
            try await index.indexSearchableItems(["a", "b", "c"].map { Spotlight.item($0) })
            try await spotlight.store.delete(
                .searchableItems(identifiers: ["a", "b"], indexName: nil), scope: .everywhere)
            #expect(try await spotlight.items() == ["c"])

            let report = try await index.reindexAllItems()
            #expect(report.isAcknowledged && report.offered == 3 && report.refused == 2)
            #expect(report.removed == 0)
            let second = try await index.reindexItems(withIdentifiers: ["b", "c"])
            #expect(second.offered == 2 && second.refused == 1)
            #expect(try await spotlight.items() == ["c"])

            // The person makes one of them again, while the delegate is asked about another.
            let asking = App([], .late)
            index.indexDelegate = asking
            let request = Task { try await index.reindexItems(withIdentifiers: ["b"]) }
            while asking.kept.withLock({ $0 == nil }) { await Task.yield() }
            try await index.indexSearchableItems([Spotlight.item("a"), Spotlight.item("b")])
            asking.kept.withLock { $0 }?()
            #expect(try await request.value.refused == 1)
            #expect(try await spotlight.items() == ["a", "c"])
            try await index.indexSearchableItems([Spotlight.item("b")])
            #expect(try await spotlight.items() == ["a", "b", "c"])
        }
    }

    @Test func `without an acknowledgement nothing is removed and it can be asked again`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            try await index.indexSearchableItems([Spotlight.item("a")])
            let silent = App([], .silent)
            index.indexDelegate = silent
            #expect(try await !index.reindexAllItems().isAcknowledged)
            #expect(try await spotlight.items() == ["a"])
            let good = App([])
            index.indexDelegate = good
            #expect(try await index.reindexAllItems().removed == 1)
            #expect(try await spotlight.items().isEmpty)
            #expect(silent.asked.withLock { $0.count } == 1)
        }
    }

    @Test func `a request whose delegate keeps the handler ends when its task is cancelled`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            let app = App([], .late)
            index.indexDelegate = app
            try await index.indexSearchableItems([Spotlight.item("a")])
            let request = Task { try await index.reindexAllItems() }
            while app.kept.withLock({ $0 == nil }) { await Task.yield() }
            request.cancel()
            #expect(try await !request.value.isAcknowledged)
            #expect(try await spotlight.items() == ["a"])
            app.kept.withLock { $0 }?()
        }
    }

    @Test func `an index without a delegate cannot be asked`() async throws {
        try await Spotlight.run { _ in
            let index = CSSearchableIndex(name: "notes")
            do {
                _ = try await index.reindexAllItems()
                Issue.record("nobody was asked")
            } catch CSIndexError.indexingUnsupported {}
            // A delegate is not kept alive.
            var app: App? = App([])
            index.indexDelegate = app
            #expect(index.indexDelegate != nil)
            app = nil
            #expect(index.indexDelegate == nil)
        }
    }

    /// While donations are exchanged, the app's own deletion is meant for all devices; it must not
    /// keep out what the delegate offers after it.
    @Test(arguments: [false, true])
    func `M4 deleting all inside the delegate is warned of, rebuilding keeps the rest`(
        isExchanged: Bool
    ) async throws {
        try await Spotlight.run { spotlight in
            try await spotlight.store.sync { sync throws(DonationError) in
                try Exchange.setOn(isExchanged, &sync)
            }
            let index = CSSearchableIndex.default()
            let app = App(["a", "b"], .wipes)
            index.indexDelegate = app
            try await index.indexSearchableItems([Spotlight.item("a"), Spotlight.item("old")])
            try await spotlight.view("of-a", related: "a")
            try await spotlight.interact("said")

            let receipt = try await index.rebuild(with: [
                Spotlight.item("a", title: "A again"), Spotlight.item("b"),
            ])
            #expect(receipt.removedCount(.searchableItem) == 1)
            #expect(try await spotlight.items() == ["a", "b"])
            #expect(try await spotlight.activities() == ["of-a"])
            #expect(try await spotlight.interactions() == ["said"])
            #expect(index.warnings.isEmpty)

            _ = try await index.reindexAllItems()
            #expect(index.warnings.map(\.code) == [.deleteAllWhileReindexing])
            #expect(try await spotlight.items() == ["a", "b"])
            // What the warning is about.
            #expect(try await spotlight.activities().isEmpty)
            #expect(try await spotlight.interactions().isEmpty)
        }
    }

    @Test func `an extension's handler that overrides nothing removes nothing`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "notes")
            let handler = CSIndexExtensionRequestHandler()
            index.indexDelegate = handler
            try await index.indexSearchableItems([Spotlight.item("a")])
            #expect(try await !index.reindexAllItems().isAcknowledged)
            #expect(try await !index.reindexItems(withIdentifiers: ["a"]).isAcknowledged)
            #expect(try await spotlight.items() == ["a"])
            #expect(throws: CSIndexError.self) {
                try handler.data(for: index, itemIdentifier: "a", typeIdentifier: "public.text")
            }
        }
    }
}
