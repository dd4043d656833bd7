import CoreSpotlight
import DonationStore
import Donations
import Foundation
import RandomSeeds
import SpotlightAppSwift5
import Testing

/// Apps at work: a tenth or less of a person's year, all of it in a long run.
struct WorkloadTests {
    /// How many tenths of a year.
    private static let tenths = Seeds.count(1, long: 10)

    @Test func `W3 notes are viewed, and deleted here and elsewhere`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            let (all, gone) = (200 * Self.tenths, 20 * Self.tenths)
            let notes = (1_000..<1_000 + all).map { number in
                let item = Spotlight.item("note-\(number)", domain: "notes")
                item.contentLink = ContentLink(
                    container: "iCloud.com.example.notes", scope: "private", zone: "notes",
                    record: "note-\(number)")
                return item
            }
            try await index.indexSearchableItems(notes)
            let views = 1_500 * Self.tenths
            for view in 0..<views {
                let activity = NSUserActivity(activityType: "com.example.notes.view")
                let set = CSSearchableItemAttributeSet(contentType: .text)
                set.relatedUniqueIdentifier = "note-\(1_000 + view % all)"
                activity.contentAttributeSet = set
                activity.persistentIdentifier = "note-\(1_000 + view % all)"
                activity.isEligibleForSearch = true
                activity.becomeCurrent()
            }
            try await spotlight.store.flush()
            #expect(try await spotlight.events() == views)
            // Half deleted here, half on another device.
            let half = 1_000 + gone / 2
            try await index.deleteSearchableItems(
                withIdentifiers: (1_000..<half).map { "note-\($0)" })
            for number in half..<1_000 + gone {
                try await spotlight.store.delete(
                    .linked(
                        ContentLink(
                            container: "iCloud.com.example.notes", scope: "private",
                            zone: "notes", record: "note-\(number)")))
            }
            let counts = try await spotlight.store.counts()
            let left = all - gone
            #expect(counts[.searchableItem] == left && counts[.savedActivity] == left)
            let viewsGone = (0..<views).count { $0 % all < gone }
            #expect(counts[.activity] == views - viewsGone)
            let names = Set((1_000..<1_000 + gone).map { "note-\($0)" })
            #expect(try await spotlight.store.remainder(mentioning: names).isEmpty)
        }
    }

    @Test func `W4 a browser clears the last hour, then everything`() async throws {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex(name: "history")
            let (hours, pages, views) = Seeds.isLong ? (30, 1000, 1000) : (10, 100, 20)
            for hour in 0..<hours {
                let items = (0..<pages).map { page in
                    Spotlight.item(
                        "page-\(hour)-\(page)",
                        domain: CSDomainIdentifier.make("history", "host\(page % 7).example.org"))
                }
                try await index.indexSearchableItems(items)
                for page in 0..<views {
                    try await spotlight.view(
                        "page-\(hour)-\(page)", related: "page-\(hour)-\(page)")
                }
                spotlight.advance(days: 1 / 24)
            }
            #expect(index.warnings.isEmpty)
            let now = Int64(1_000_000_000 + hours * 3_600_000)
            try await spotlight.store.delete(
                .donated(
                    fromMilliseconds: now - 3_600_000, untilMilliseconds: now,
                    includingItems: true))
            var counts = try await spotlight.store.counts()
            let left = hours - 1
            #expect(
                counts[.searchableItem] == left * pages && counts[.activity] == left * views)
            if !Seeds.isLong {
                #expect(try await spotlight.store.search("page 9", limit: 500).count == 9 * 12)
            }
            // One host goes by its own domain.
            try await index.deleteSearchableItems(withDomainIdentifiers: [
                CSDomainIdentifier.make("history", "host3.example.org")
            ])
            let ofHost = (0..<pages).count { $0 % 7 == 3 }
            #expect(
                try await spotlight.store.counts()[.searchableItem] == left * (pages - ofHost))
            try await index.deleteAllSearchableItems()
            counts = try await spotlight.store.counts()
            #expect(counts.values.allSatisfy { $0 == 0 })
        }
    }

    @Test func `W7 a CloudKit store is swept, re-indexed, and offered stale content`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            let zone = ContentLink(
                container: "iCloud.com.example.shelf", scope: "private", zone: "items")
            func item(_ number: Int) -> CSSearchableItem {
                let item = Spotlight.item("item-\(number)")
                var link = zone
                link.record = "item-\(number)"
                item.contentLink = link
                return item
            }
            let (all, deleted) = (500 * Self.tenths, 100 * Self.tenths)
            let kept = deleted - 10
            try await index.indexSearchableItems((0..<all).map(item))
            for number in 0..<50 * Self.tenths {
                try await spotlight.view("item-\(number)", related: "item-\(number)")
            }
            try await spotlight.interact("said")
            // The queue of deletions.
            for batch in stride(from: 0, to: deleted, by: 20) {
                try await index.deleteSearchableItems(
                    withIdentifiers: (batch..<batch + 20).map { "item-\($0)" })
            }
            // The new index, by difference: what stayed keeps its activities.
            try await index.rebuild(with: (kept..<all).map(item))
            #expect(try await spotlight.store.counts()[.searchableItem] == all - kept)
            #expect(try await spotlight.interactions() == ["said"])
            // The zone is swept, and the container closed while nothing may come back.
            try await spotlight.store.delete(.linked(zone))
            try await spotlight.store.restrict(container: "iCloud.com.example.shelf")
            try await index.indexSearchableItems((0..<all).map(item))
            #expect(try await spotlight.items().isEmpty)
            #expect(try await spotlight.activities().isEmpty)
        }
    }

    @Test func `an app in Swift 5 mode with handlers works as on Apple's systems`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let app = NotesApp(index: CSSearchableIndex(name: "notes"))
            func wait(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async -> Bool {
                await withCheckedContinuation { done in
                    call { done.resume(returning: $0 == nil) }
                }
            }
            #expect(await wait { app.save("1", "Buy soup", then: $0) })
            #expect(await wait { app.save("2", "Sell soup", then: $0) })
            let activity = app.show("1")
            try await spotlight.store.flush()
            #expect(try await spotlight.activities() == ["1"])
            let found = await withCheckedContinuation { done in
                app.find("buy") { found, _ in done.resume(returning: found) }
            }
            #expect(found == ["1"])
            let launch = try await app.index.launchActivity(forItem: "2")
            #expect(launch.map(app.open) == true && app.launches == ["2"])
            #expect(await wait { app.remove("1", then: $0) })
            #expect(try await spotlight.activities().isEmpty)
            app.notes["3"] = "Cook soup"
            app.notes["2"] = nil
            let report = try await app.index.reindexAllItems()
            #expect(report.isAcknowledged && report.removed == 1)
            #expect(try await spotlight.items() == ["3"])
            #expect(await wait { app.removeAll(then: $0) })
            app.forgetEverything()
            try await spotlight.store.flush()
            #expect(try await spotlight.items().isEmpty)
            activity.invalidate()
        }
    }
}
