import DonationStore
import Foundation
import Testing
import UserActivity

/// Links from notes (F45) and what "share this" falls back to (F44).
struct QuickNoteTests {
    @Test(
        arguments: [
            (persistent: "p", target: "t", page: "https://a.example", key: "persistent"),
            (persistent: nil, target: "t", page: "https://a.example", key: "target"),
            (persistent: "", target: nil, page: "https://a.example", key: "page"),
            (persistent: nil, target: nil, page: "http://a.example", key: nil),
            (persistent: nil, target: nil, page: nil, key: nil),
        ] as [(persistent: String?, target: String?, page: String?, key: String?)])
    func `F45 a link needs one lasting identifier of the current activity`(
        persistent: String?, target: String?, page: String?, key: String?
    ) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("content", persistentIdentifier: persistent)
            activity.targetContentIdentifier = target
            activity.webpageURL = page.flatMap { URL(string: $0) }
            let linker = QuickNoteLinker(store: app.store)
            #expect(await linker.link() == nil)
            activity.becomeCurrent()
            let link = await linker.link()
            switch key {
            case "persistent": #expect(link?.key == .persistentIdentifier("p"))
            case "target": #expect(link?.key == .targetContentIdentifier("t"))
            case "page": #expect(link?.key == .webpageURL("https://a.example"))
            default: #expect(link == nil)
            }
            activity.resignCurrent()
            #expect(await linker.link() == nil)
        }
    }

    @Test(arguments: 0..<3)
    func `F45 the same content gives the same link on two devices`(kind: Int) async throws {
        var links: [QuickNoteLink] = []
        for _ in 0..<2 {
            let device = try TestApp()
            let link = try await device.run { () async throws in
                let activity = makeActivity("content")
                if kind == 0 { activity.persistentIdentifier = "p" }
                if kind == 1 { activity.targetContentIdentifier = "t" }
                if kind == 2 { activity.webpageURL = URL(string: "https://a.example") }
                activity.becomeCurrent()
                return await QuickNoteLinker(store: device.store).link()
            }
            links.append(try #require(link))
        }
        #expect(links[0] == links[1])
    }

    @Test func `F45 after its content is deleted a link is dead and leads nowhere else`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let linker = QuickNoteLinker(store: app.store)
            let activity = makeActivity("content", persistentIdentifier: "p")
            activity.targetContentIdentifier = "p"
            activity.becomeCurrent()
            let link = try #require(await linker.link())
            #expect(try await linker.resolve(link) == .content(title: "content"))
            let other = makeActivity("other", persistentIdentifier: "q")
            other.targetContentIdentifier = "p"
            other.becomeCurrent()
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"])
            #expect(try await linker.resolve(link) == .deadLink)
            makeActivity("content, again", persistentIdentifier: "p").becomeCurrent()
            #expect(try await linker.resolve(link) == .content(title: "content, again"))
        }
    }

    @Test func `F45 links by target and by page are found among many`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let linker = QuickNoteLinker(store: app.store)
            let target = makeActivity("target")
            target.targetContentIdentifier = "t"
            target.becomeCurrent()
            let first = try #require(await linker.link())
            for index in 0..<50 {
                makeActivity("\(index)", persistentIdentifier: "\(index)").becomeCurrent()
            }
            let page = makeActivity("page")
            page.webpageURL = URL(string: "https://a.example")
            page.becomeCurrent()
            let second = try #require(await linker.link())
            #expect(try await linker.resolve(first) == .content(title: "target"))
            #expect(try await linker.resolve(second) == .content(title: "page"))
            await NSUserActivity.deleteAllSavedUserActivities()
            #expect(try await linker.resolve(first) == .deadLink)
            #expect(try await linker.resolve(second) == .deadLink)
        }
    }

    @Test func `F45 a link matches the activity that shows its content, byte by byte`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("content", persistentIdentifier: "caf\u{E9}")
            activity.becomeCurrent()
            let link = try #require(await QuickNoteLinker(store: app.store).link())
            #expect(link.matches(makeActivity("x", persistentIdentifier: "caf\u{E9}")))
            #expect(!link.matches(makeActivity("x", persistentIdentifier: "cafe\u{301}")))
            #expect(!link.matches(makeActivity("x")))
            let coded = try JSONDecoder().decode(
                QuickNoteLink.self, from: try JSONEncoder().encode(link))
            #expect(coded == link)
        }
    }

    @Test func `F44 the current activity's page is what is shared`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            #expect(await NSUserActivity.shareFallbackURL() == nil)
            let activity = makeActivity("page")
            activity.webpageURL = URL(string: "https://a.example")
            #expect(await NSUserActivity.shareFallbackURL() == nil)
            activity.becomeCurrent()
            #expect(
                await NSUserActivity.shareFallbackURL()?.absoluteString == "https://a.example")
            activity.invalidate()
            #expect(await NSUserActivity.shareFallbackURL() == nil)
        }
    }
}
