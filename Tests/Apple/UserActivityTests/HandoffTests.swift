import AsyncOperations
import Basics
import DonationStore
import Donations
import Foundation
import RandomSeeds
import Testing
import UserActivity

/// Continuing on another device (F40): who may, what comes over, and each way it can fail.
struct HandoffTests {
    /// Two devices of one person, with the same app on each.
    private struct Devices {
        let phone: TestApp
        let desk: TestApp
        let clock = ManualClock()
        let origin: HandoffOrigin
        let link: HandoffLink

        init(
            team: String = "TEAM", deskTeam: String = "TEAM",
            _ configureDesk: (inout DonationConfiguration) -> Void = { _ in }
        ) throws {
            phone = try TestApp()
            desk = try TestApp(configureDesk)
            origin = HandoffOrigin(HandoffPeer(store: phone.store, teamIdentifier: team))
            link = HandoffLink(
                from: origin, to: HandoffPeer(store: desk.store, teamIdentifier: deskTeam),
                timeout: .seconds(5), clock: clock)
        }

        func show(_ activity: NSUserActivity) async throws {
            try await phone.run { activity.becomeCurrent() }
        }

        /// The code that receiving fails with; nil when it does not.
        func failure() async -> Int? {
            do {
                _ = try await link.receive()
                return nil
            } catch {
                #expect((error as NSError).domain == NSCocoaErrorDomain)
                return (error as NSError).code
            }
        }
    }

    private let someID = UUID()

    @Test func `F40 an activity comes over as it is when it is asked for`() async throws {
        let devices = try Devices()
        let delegate = Heard { $0.addUserInfoEntries(from: ["scroll": 40]) }
        let activity = makeActivity("reading", persistentIdentifier: "p")
        activity.userInfo = ["page": 7, "scroll": 0, "id": someID]
        activity.requiredUserInfoKeys = ["page"]
        activity.webpageURL = URL(string: "https://a.example/7#top")
        activity.keywords = ["one", "two"]
        activity.targetContentIdentifier = "t"
        activity.expirationDate = devices.phone.now + 3600
        activity.delegate = delegate
        try await devices.show(activity)
        activity.needsSave = true

        #expect(try await devices.link.offeredActivityType() == TestApp.type)
        let received = try await devices.link.receive()
        #expect(received !== activity)
        #expect(received.activityType == TestApp.type)
        #expect(received.title == "reading")
        #expect(received.userInfo?["page"] as? Int == 7)
        #expect(received.userInfo?["scroll"] as? Int == 40)
        #expect(received.userInfo?["id"] as? UUID == someID)
        #expect(received.requiredUserInfoKeys == ["page"])
        #expect(received.webpageURL == activity.webpageURL)
        #expect(received.keywords == ["one", "two"])
        #expect(received.targetContentIdentifier == "t")
        #expect(received.persistentIdentifier == "p")
        #expect(received.expirationDate == activity.expirationDate)
        #expect(delegate.calls == ["will save", "was continued"])
        #expect(try await devices.desk.saved() == [])
    }

    @Test func `F8 one activity is offered to another device and found by searching`()
        async throws
    {
        let devices = try Devices()
        let activity = makeActivity("chowder", persistentIdentifier: "p")
        activity.title = "Clam chowder"
        activity.isEligibleForSearch = true
        try await devices.show(activity)
        #expect(try await devices.link.offeredActivityType() == TestApp.type)
        #expect(try await devices.phone.store.search("chowder", limit: 5) == ["p"])
        // Deleted, it is neither: what was advertised was the stored activity (A8).
        try await devices.phone.run {
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"])
        }
        #expect(try await devices.link.offeredActivityType() == nil)
        #expect(try await devices.phone.store.search("chowder", limit: 5) == [])
    }

    @Test func `F40 the steps on both sides are these`() async throws {
        let devices = try Devices()
        let activity = NSUserActivity(activityType: "com.example.a")
        activity.userInfo = ["n": 1]
        activity.delegate = nil
        try await devices.show(activity)
        activity.needsSave = true
        _ = try await devices.link.receive()
        #expect(
            devices.origin.transcript.map(\.description) == [
                "offers com.example.a", "saves", "sends 48 bytes", "was continued",
            ])
        #expect(
            devices.link.transcript.map(\.description) == [
                "asks for com.example.a", "gets 48 bytes",
            ])
    }

    @Test func `F40 nothing is offered before, after, or against the app's will`() async throws {
        let devices = try Devices()
        #expect(try await devices.link.offeredActivityType() == nil)
        let activity = makeActivity("private")
        activity.isEligibleForHandoff = false
        try await devices.show(activity)
        #expect(try await devices.link.offeredActivityType() == nil)
        activity.isEligibleForHandoff = true
        #expect(try await devices.link.offeredActivityType() == TestApp.type)
        activity.resignCurrent()
        #expect(try await devices.link.offeredActivityType() == nil)
    }

    @Test(
        arguments: [
            (deskTeam: "TEAM", types: nil, type: TestApp.type, isOffered: true),
            (deskTeam: "TEAM", types: [TestApp.type], type: TestApp.type, isOffered: true),
            (deskTeam: "TEAM", types: ["com.example.x"], type: TestApp.type, isOffered: false),
            (deskTeam: "OTHER", types: nil, type: TestApp.type, isOffered: false),
            (deskTeam: "OTHER", types: nil, type: NSUserActivityTypeBrowsingWeb, isOffered: true),
        ] as [(deskTeam: String, types: Set<String>?, type: String, isOffered: Bool)])
    func `F40 activities go to apps of the same team that declare the type`(
        deskTeam: String, types: Set<String>?, type: String, isOffered: Bool
    ) async throws {
        let devices = try Devices(deskTeam: deskTeam) { $0.activityTypes = types }
        let activity = NSUserActivity(activityType: type)
        activity.webpageURL = URL(string: "https://a.example")
        try await devices.show(activity)
        #expect(try await devices.link.offeredActivityType() == (isOffered ? type : nil))
        #expect(await devices.failure() == (isOffered ? nil : NSUserActivityHandoffFailedError))
    }

    @Test func `F40 4608 when the activity is gone`() async throws {
        let devices = try Devices()
        let activity = makeActivity("gone")
        try await devices.show(activity)
        #expect(try await devices.link.offeredActivityType() != nil)
        activity.invalidate()
        #expect(await devices.failure() == NSUserActivityHandoffFailedError)
        #expect(devices.link.transcript.last == .failed(code: 4608))
    }

    @Test func `F40 4608 when the delegate ends the activity instead of saving`() async throws {
        let devices = try Devices()
        let delegate = Heard { $0.invalidate() }
        let activity = makeActivity("ending")
        activity.delegate = delegate
        try await devices.show(activity)
        activity.needsSave = true
        #expect(await devices.failure() == NSUserActivityHandoffFailedError)
        #expect(delegate.calls == ["will save"])
    }

    @Test func `F40 4609 when the link is cut`() async throws {
        let devices = try Devices()
        let activity = makeActivity("far")
        try await devices.show(activity)
        devices.link.disconnect()
        #expect(await devices.failure() == NSUserActivityConnectionUnavailableError)
        #expect(activity.title == "far")
    }

    @Test func `F40 4610 when the other app is too slow`() async throws {
        let devices = try Devices()
        let delegate = Heard { [clock = devices.clock] _ in clock.advance(by: .seconds(6)) }
        let activity = makeActivity("slow")
        activity.delegate = delegate
        try await devices.show(activity)
        activity.needsSave = true
        #expect(await devices.failure() == NSUserActivityRemoteApplicationTimedOutError)
        #expect(delegate.calls == ["will save"])
        #expect(await devices.failure() == nil)
    }

    @Test(arguments: [true, false])
    func `F40 4611 when userInfo is too large for either side`(
        isDeskSmaller: Bool
    ) async throws {
        let devices = try Devices { if isDeskSmaller { $0.handoffBytesMax = 1000 } }
        let limit = isDeskSmaller ? 1000 : 3 * 1024
        let activity = makeActivity("large")
        try await devices.show(activity)
        var size = limit - 64
        var code: Int?
        repeat {
            size += 1
            activity.userInfo = ["text": String(repeating: "x", count: size)]
            code = await devices.failure()
        } while code == nil && size < limit + 64
        #expect(code == NSUserActivityHandoffUserInfoTooLargeError)
        let tooLarge = try PayloadValue(object: activity.userInfo ?? [:]).encodedSize
        #expect(tooLarge == limit + 1)
    }

    /// A way for the bytes on which things go wrong.
    private struct Faulty: HandoffTransport {
        enum Fault: Sendable, CaseIterable {
            case garbage, empty, truncated, unknownReply, foreignCode, otherType
        }

        let fault: Fault

        func send(_ request: [UInt8]) throws(CocoaError) -> [UInt8] {
            let offer = Self.offer("com.example.a")
            switch fault {
            case .garbage: return [0xFF, 0x00, 0x13, 0x37]
            case .empty: return []
            case .truncated: return Array(offer.dropLast())
            case .unknownReply: return PayloadValueBytes.dictionary(["reply": "what"])
            case .foreignCode: return PayloadValueBytes.dictionary(["reply": "failure"], code: 7)
            case .otherType: return offer
            }
        }

        func openStreams(_ request: [UInt8]) throws(CocoaError) -> ContinuationStreams {
            throw CocoaError(.userActivityConnectionUnavailable)
        }

        func close() {}

        static func offer(_ type: String) -> [UInt8] {
            PayloadValueBytes.dictionary(["reply": "offer", "type": type, "team": "TEAM"])
        }
    }

    @Test(arguments: Faulty.Fault.allCases)
    private func `F40 answers that make no sense end in 4608`(fault: Faulty.Fault) async throws {
        let desk = try TestApp()
        let link = HandoffLink(
            over: Faulty(fault: fault),
            to: HandoffPeer(store: desk.store, teamIdentifier: "TEAM"), clock: ManualClock())
        await #expect {
            try await link.receive()
        } throws: {
            ($0 as NSError).code == NSUserActivityHandoffFailedError
        }
    }

    @Test func `F40 random answers never do anything but fail`() async throws {
        let desk = try TestApp()
        let seed = Seeds.one("handoff answers")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            var bytes = Faulty.offer("com.example.a")
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            let link = HandoffLink(
                over: Fixed(bytes: bytes),
                to: HandoffPeer(store: desk.store, teamIdentifier: "TEAM"), clock: ManualClock())
            await #expect("CKSWEEP_SEED=\(seed): bytes \(bytes)") {
                try await link.receive()
            } throws: {
                (4608...4611).contains(($0 as NSError).code)
            }
        }
    }

    /// Always answers the same.
    private struct Fixed: HandoffTransport {
        let bytes: [UInt8]
        func send(_ request: [UInt8]) throws(CocoaError) -> [UInt8] { bytes }
        func openStreams(_ request: [UInt8]) throws(CocoaError) -> ContinuationStreams {
            throw CocoaError(.userActivityConnectionUnavailable)
        }
        func close() {}
    }
}
