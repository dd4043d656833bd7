import Basics
import CloudModel
import DonationSync
import Donations
import Foundation
import RepositoryRoot
import Testing

struct ExchangeTests {
    @Test func `a donation of one device comes to another, and both come to rest`() throws {
        let world = try ExchangeWorld()
        let (phone, watch) = (ExchangeDevice(world, seed: 1), ExchangeDevice(world, seed: 2))
        phone.donate(.interaction("hello", group: "ann"))
        phone.donate(.activity("page", title: "A page"))
        phone.donate(.activity(nil, title: "Nameless"))
        #expect(phone.sync() == .idle)
        #expect(watch.sync() == .idle)
        #expect(watch.rows == phone.rows)
        #expect(watch.rows.count == 5)
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        world.requests = []
        phone.sync()
        watch.sync()
        #expect(world.requests.count == 2, "a device at rest asks once")
    }

    @Test func `a deletion of one device acts on all, and its record holds no word`() throws {
        let world = try ExchangeWorld()
        let (phone, watch) = (ExchangeDevice(world, seed: 1), ExchangeDevice(world, seed: 2))
        phone.donate(.interaction("hello", group: "ann"))
        phone.sync()
        watch.sync()
        watch.donate(.interaction("later", group: "ann"))
        watch.donate(.interaction("other"))
        phone.delete(.interactionGroup("ann"))
        phone.sync()
        watch.sync()
        #expect(watch.rows == ["interaction other"])
        phone.sync()
        #expect(phone.rows == ["interaction other"])
        #expect(world.records("Donation").count == 1)
    }

    /// The schema as the article on the exchange tells it.
    private static func schemaOfArticle() throws -> String {
        let article = try Repository.text(
            "Sources/Donations/DonationSync/DonationSync.docc/Exchange.md")
        let beginning = try #require(article.range(of: "DEFINE SCHEMA"))
        return String(article[beginning.lowerBound...].prefix { $0 != "`" })
    }

    @Test func `the schema has all that is sent, and without it nothing is`() throws {
        let world = try ExchangeWorld()
        let container = ExchangeWorld.address.container
        let (phone, watch) = (
            ExchangeDevice(world, seed: 1, includesItems: true),
            ExchangeDevice(world, seed: 2, includesItems: true)
        )
        try world.cloud.withStore { try $0.setSchema(Schema(), of: container) }
        #expect(phone.sync() == .halted(.schemaRefused))
        let schema = try Schema(parsing: Self.schemaOfArticle())
        try world.cloud.withStore { try $0.setSchema(schema, of: container) }

        var full = Donation.interaction("full", group: "g")
        full.numbers = ["direction": 1, "status": 2]
        full.title = "t"
        full.suggestedInvocationPhrase = "p"
        full.expiration = world.now.advanced(by: .seconds(3600))
        full.link = ContentLink(container: "c", scope: "private", zone: "z", record: "r")
        phone.donate(full)
        var item = Donation.item("x", domain: "a.b")
        item.indexName = "index"
        item.entityType = "Contact"
        item.entityIdentifier = "7"
        phone.donate(item)
        phone.donate(.activity("p", title: "about x", related: "x"))
        var intent = Donation(
            .appIntent, identifier: "i", type: "Open", at: Timestamp(milliseconds: 0))
        intent.entityType = "Contact"
        intent.entityIdentifier = "7"
        phone.donate(intent)
        phone.delete(.donated(fromMilliseconds: 1, untilMilliseconds: 2, includingItems: true))
        phone.delete(.searchableDomains(["other"], indexName: "index"))
        #expect(phone.sync() == .idle)
        #expect(watch.sync() == .idle)
        #expect(phone.report.refusals == [:])
        #expect(watch.rows == phone.rows)
        #expect(watch.rows.count == 5)
        #expect(watch.storage.row(like: full)?.donation.link == full.link)
    }
}
