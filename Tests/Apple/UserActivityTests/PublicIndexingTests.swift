import DonationStore
import Donations
import Foundation
import Testing
import UserActivity

/// Public indexing is marked, shown and never done (F47, A20).
struct PublicIndexingTests {
    @Test(
        arguments: [
            (keys: nil, page: nil, isMarked: false),
            (keys: [], page: nil, isMarked: false),
            (keys: ["a"], page: nil, isMarked: true),
            (keys: nil, page: "https://a.example", isMarked: true),
        ] as [(keys: Set<String>?, page: String?, isMarked: Bool)])
    func `F47 it needs required keys or a page`(
        keys: Set<String>?, page: String?, isMarked: Bool
    ) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("public")
            activity.isEligibleForPublicIndexing = true
            activity.requiredUserInfoKeys = keys
            activity.webpageURL = page.flatMap { URL(string: $0) }
            activity.becomeCurrent()
            #expect(try await app.saved().first?.isPublic == isMarked)
            #expect(try await app.problems() == (isMarked ? [] : [.nothingToPublish]))
        }
    }

    @Test func `F47 what would be published can be seen`() {
        let activity = NSUserActivity(activityType: TestApp.type)
        activity.userInfo = ["a": 1, "secret": 2]
        activity.requiredUserInfoKeys = ["a"]
        #expect(activity.publiclyIndexedContent.isEmpty)
        activity.isEligibleForPublicIndexing = true
        #expect(activity.publiclyIndexedContent as? [String: Int] == ["a": 1])
        activity.webpageURL = URL(string: "https://a.example")
        #expect(activity.publiclyIndexedContent["webpageURL"] as? URL == activity.webpageURL)
    }

    @Test func `A20 receipts say what was public`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("public", persistentIdentifier: "p")
            activity.isEligibleForPublicIndexing = true
            activity.webpageURL = URL(string: "https://a.example")
            activity.becomeCurrent()
            let receipt = try await app.store.delete(
                .activities(persistentIdentifiers: ["p"]), scope: .thisDevice)
            #expect(receipt.publicRows > 0)
        }
    }
}
