import Basics
import Donations
import Testing

/// The rules as questions to one row.
struct SelectorTests {
    private let moment = Timestamp(milliseconds: 1000)

    private func row(_ kind: DonationKind, _ change: (inout Donation) -> Void) -> Donation {
        var row = Donation(kind, identifier: "id", type: "type", at: moment)
        change(&row)
        return row
    }

    @Test(arguments: [
        ("a", "a", true), ("a.b", "a", true), ("a.b.c", "a.b", true), ("ab", "a", false),
        ("a", "a.b", false), ("a-b", "a", false), ("a.", "a", true), ("", "", false),
        ("a", "", false), ("caf\u{E9}.x", "cafe\u{301}", false),
    ])
    func `a domain lies in another by part and by byte`(
        domain: String, parent: String, isInside: Bool
    ) {
        #expect(domain.isDomain(inside: parent) == isInside)
    }

    @Test func `of domains only the outermost are kept`() {
        #expect(
            DomainName.outermost(["a.b", "a", "", "ab", "a-b", "c.d"]) == ["a", "ab", "a-b", "c.d"])
        #expect(DomainName.level("50%.org") == "50%25%2Eorg")
    }

    @Test func `names are compared by their bytes`() {
        let interaction = row(.interaction) { $0.identifier = "caf\u{E9}" }
        #expect(
            DonationSelector.interactions(identifiers: ["cafe\u{301}"]).matches(interaction) == nil)
        #expect(
            DonationSelector.interactions(identifiers: ["caf\u{E9}"]).matches(interaction)
                == .direct)
    }

    @Test func `an activity goes with its item by the item's rule`() {
        let item = row(.searchableItem) {
            $0.identifier = "x"
            $0.domain = "a.b"
            $0.indexName = "n"
        }
        let activity = row(.activity) { $0.relatedIdentifier = "x" }
        let weak = row(.activity) { $0.weakRelatedIdentifier = "x" }
        for selector in [
            DonationSelector.searchableItems(identifiers: ["x"], indexName: "n"),
            .searchableDomains(["a"], indexName: nil), .searchableDomains(["a"], indexName: "n"),
            .allSearchableItems(indexName: "n"),
            .donated(fromMilliseconds: 0, untilMilliseconds: 2000, includingItems: true),
        ] {
            #expect(selector.matches(activity, .init(relatedItem: item)) != nil, "\(selector)")
        }
        for selector in [
            DonationSelector.searchableItems(identifiers: ["x"], indexName: "m"),
            .searchableDomains(["ab"], indexName: nil), .searchableDomains(["a"], indexName: "m"),
            .allInteractions,
        ] {
            #expect(selector.matches(activity, .init(relatedItem: item)) == nil, "\(selector)")
        }
        #expect(
            DonationSelector.allSearchableItems(indexName: nil).matches(weak) == nil)
    }

    @Test(arguments: [
        (ContentLink(container: "c"), true), (ContentLink(container: "d"), false),
        (ContentLink(container: "c", scope: "private"), true),
        (ContentLink(container: "c", scope: "shared"), false),
        (ContentLink(container: "c", scope: "private", zone: "z"), true),
        (ContentLink(container: "c", scope: "private", zone: "z", zoneOwner: "other"), false),
        (ContentLink(container: "c", scope: "private", zone: "z", record: "r"), true),
        (ContentLink(container: "c", scope: "private", zone: "z", record: "s"), false),
    ])
    func `a link lies inside a part of a container`(part: ContentLink, isInside: Bool) {
        let link = ContentLink(container: "c", scope: "private", zone: "z", record: "r")
        #expect(part.contains(link) == isInside)
    }

    @Test func `what mentions a word is found by key, part of a domain, and text`() {
        let donation = row(.interaction) {
            $0.group = "g"
            $0.domain = "a.b"
            $0.title = "Soup for Ann"
            $0.payload = PayloadValue.array([.string("tel:12345")]).encoded
            $0.mentions = ["ann@example.com"]
        }
        for word in ["g", "a", "Ann", "345", "example", "id"] {
            #expect(donation.mentions([word]), "\(word)")
        }
        for word in ["", "G", "b", "Anna", "i"] { #expect(!donation.mentions([word]), "\(word)") }
    }
}
