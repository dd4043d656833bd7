import CoreSpotlight
import DonationStore
import Foundation
import Testing

/// Items and their attributes as values.
struct ItemTests {
    private static func read(_ identifier: String) async throws -> CSSearchableItem? {
        let query = CSSearchQuery(
            queryString: "identifier == \"\(identifier)\"",
            attributes: [
                "title", "keywords", "dueDate", "latitude", "allDay", "contentURL", "thumbnailData",
                "authors", "importantDates", "contentDescription", "phoneNumbers", "rankingHint",
                "com_example_tags",
            ])
        for try await result in query.results { return result.item }
        return nil
    }

    @Test func `attributes come back as they were set`() async throws {
        try await Spotlight.run { _ in
            let set = CSSearchableItemAttributeSet(contentType: .pdf)
            set.title = "Recipe"
            set.keywords = ["soup", "hot"]
            set.dueDate = Date(timeIntervalSinceReferenceDate: 1_234.5)
            set.latitude = 47.25
            set.allDay = true
            set.contentURL = URL(string: "https://example.org/a?b#c")
            set.thumbnailData = Data([0, 255, 7])
            set.importantDates = [Date(timeIntervalSince1970: 5)]
            set.rankingHint = 33
            set.authors = [
                CSPerson(
                    displayName: "Ana", handles: ["ana@example.org"], handleIdentifier: "email")
            ]
            let key = try #require(CSCustomAttributeKey(keyName: "com_example_tags"))
            set.setValue(NSArray(array: ["a", "b"]), forCustomKey: key)
            #expect(set.contentType == "com.adobe.pdf")
            try await CSSearchableIndex.default().indexSearchableItems([
                CSSearchableItem(
                    uniqueIdentifier: "r", domainIdentifier: nil, attributeSet: set)
            ])
            let back = try #require(try await Self.read("r")).attributeSet
            #expect(back.title == "Recipe" && back.keywords == ["soup", "hot"])
            #expect(back.dueDate == set.dueDate && back.importantDates == set.importantDates)
            #expect(back.latitude?.doubleValue == 47.25 && back.allDay?.boolValue == true)
            #expect(back.contentURL == set.contentURL && back.thumbnailData == set.thumbnailData)
            #expect(back.rankingHint == 33)
            #expect(back.authors?.first?.displayName == "Ana")
            #expect(back.authors?.first?.handles == ["ana@example.org"])
            #expect((back.value(forCustomKey: key) as? NSArray)?.count == 2)
            #expect(back.phoneNumbers == nil)
        }
    }

    @Test func `an update changes what it names, removes what it sets to nil, keeps the rest`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let index = CSSearchableIndex.default()
            let item = Spotlight.item("a", domain: "d", title: "Old")
            item.attributeSet.contentDescription = "words"
            item.attributeSet.phoneNumbers = ["1"]
            item.attributeSet.rankingHint = 60
            try await index.indexSearchableItems([item])

            let change = Spotlight.item("a", title: "New")
            change.attributeSet.phoneNumbers = nil
            change.isUpdate = true
            try await index.indexSearchableItems([change])
            let read = try #require(try await Self.read("a"))
            #expect(read.attributeSet.title == "New")
            #expect(read.attributeSet.contentDescription == "words")
            #expect(read.attributeSet.phoneNumbers == nil)
            #expect(read.domainIdentifier == "d")
            #expect(try await spotlight.store.find("words", limit: 1).first?.rankingHint == 60)
            #expect(try await spotlight.store.search("old", limit: 1).isEmpty)
            #expect(try await spotlight.store.remainder(mentioning: ["1"]).isEmpty)

            let replacement = Spotlight.item("a", title: "Alone")
            try await index.indexSearchableItems([replacement])
            let alone = try #require(try await Self.read("a"))
            #expect(alone.attributeSet.contentDescription == nil)
            #expect(alone.domainIdentifier == nil)
        }
    }

    @Test func `the expiration date is a month away, and nil returns to that`() async throws {
        try await Spotlight.run { spotlight in
            let month = Date(timeIntervalSince1970: 1_000_000 + 30 * 86_400)
            let item = Spotlight.item("a")
            #expect(item.expirationDate == month)
            item.expirationDate = .distantFuture
            #expect(item.expirationDate == .distantFuture)
            item.expirationDate = nil
            #expect(item.expirationDate == month)
            let never = Spotlight.item("never")
            never.expirationDate = .distantFuture
            let past = Spotlight.item("past")
            past.expirationDate = Date(timeIntervalSince1970: 1)
            try await CSSearchableIndex.default().indexSearchableItems([item, never, past])
            #expect(try await Self.read("past") == nil)
            spotlight.advance(days: 31)
            try await spotlight.store.expire()
            #expect(try await spotlight.items() == ["never"])
        }
    }

    @Test func `what was indexed or set on an activity does not follow later changes`()
        async throws
    {
        try await Spotlight.run { spotlight in
            let item = Spotlight.item("a", title: "Before")
            try await CSSearchableIndex.default().indexSearchableItems([item])
            item.attributeSet.title = "After"
            #expect(try await Self.read("a")?.attributeSet.title == "Before")

            let activity = NSUserActivity(activityType: "com.example.soup.view")
            let set = CSSearchableItemAttributeSet(itemContentType: "public.text")
            set.title = "Before"
            activity.contentAttributeSet = set
            set.title = "After"
            #expect(activity.contentAttributeSet?.title == "Before")
            activity.contentAttributeSet?.title = "Now"
            #expect(activity.contentAttributeSet?.title == "Now")
            activity.contentAttributeSet = nil
            #expect(activity.contentAttributeSet == nil)
        }
    }

    @Test func `a copy has everything and is apart`() {
        let item = Spotlight.item("a", domain: "d", title: "One")
        item.isUpdate = true
        item.expirationDate = .distantPast
        let copy = item.copy() as? CSSearchableItem
        item.attributeSet.title = "Two"
        item.uniqueIdentifier = "b"
        #expect(copy?.uniqueIdentifier == "a" && copy?.domainIdentifier == "d")
        #expect(copy?.isUpdate == true && copy?.expirationDate == .distantPast)
        #expect(copy?.attributeSet.title == "One")
    }

    @Test func `an item without a name gets one of its own`() {
        let names = (0..<100).map { _ in
            CSSearchableItem(
                uniqueIdentifier: nil, domainIdentifier: nil,
                attributeSet: CSSearchableItemAttributeSet(contentType: .text)
            ).uniqueIdentifier
        }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { UUID(uuidString: $0) != nil })
    }

    @Test(arguments: [
        ("com_example_a", true), ("a", true), ("", false), ("1a", false), ("a b", false),
        ("a.b", false), ("_a", false), ("é", false),
    ])
    func `a custom attribute's name is one a query can use`(name: String, isName: Bool) {
        #expect((CSCustomAttributeKey(keyName: name) != nil) == isName)
    }

    @Test(arguments: [("", false), (String(repeating: "x", count: 70_000), false), ("a", true)])
    func `a bad identifier is refused and nothing of the call is stored`(
        identifier: String, isTaken: Bool
    ) async throws {
        try await Spotlight.run { spotlight in
            let items = [Spotlight.item("good"), Spotlight.item(identifier, title: "t")]
            do {
                try await CSSearchableIndex.default().indexSearchableItems(items)
                #expect(isTaken)
            } catch CSIndexError.invalidItemError {
                #expect(!isTaken)
                #expect(try await spotlight.items().isEmpty)
            }
        }
    }

    @Test func `the default index is one object, for each store`() async throws {
        try await Spotlight.run { _ in
            #expect(CSSearchableIndex.default() === CSSearchableIndex.default())
            let outer = CSSearchableIndex.default()
            try await Spotlight.run { _ in #expect(CSSearchableIndex.default() !== outer) }
            final class Mine: CSSearchableIndex, @unchecked Sendable {}  // adds no state
            let mine: Mine = Mine.default()
            #expect(mine !== outer)
            #expect(CSSearchableIndex.isIndexingAvailable())
        }
    }

    @Test func `errors are caught by code, and as NSError by conversion`() {
        let error: any Error = CSIndexError(.quotaExceeded)
        #expect((error as NSError).domain == CSIndexErrorDomain)
        #expect((error as NSError).code == -1004)
        #expect(
            CSIndexError.Code.allCases.map(\.rawValue).sorted() == [
                -1006, -1005, -1004, -1003, -1002, -1001, -1000, -1,
            ])
        #expect(CSSearchQueryError.Code.allCases.map(\.rawValue) == [-2000, -2001, -2002, -2003])
    }
}
