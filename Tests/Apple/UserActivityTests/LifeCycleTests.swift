import Basics
import Foundation
import Testing
import UserActivity

/// The states of an activity: every state with every call.
struct LifeCycleTests {
    typealias Row = (
        from: ActivityLifeCycle.Phase, call: ActivityLifeCycle.Call,
        to: ActivityLifeCycle.Phase, effect: ActivityLifeCycle.Effect
    )

    static let table: [Row] = [
        (.new, .becomeCurrent, .current, .donate),
        (.new, .resignCurrent, .new, .nothing),
        (.new, .invalidate, .invalid, .nothing),
        (.new, .otherBecomesCurrent, .new, .nothing),
        (.new, .deletion, .new, .nothing),
        (.current, .becomeCurrent, .current, .refresh),
        (.current, .resignCurrent, .inactive, .withdraw),
        (.current, .invalidate, .invalid, .withdraw),
        (.current, .otherBecomesCurrent, .inactive, .withdraw),
        (.current, .deletion, .inactive, .withdraw),
        (.inactive, .becomeCurrent, .current, .donate),
        (.inactive, .resignCurrent, .inactive, .nothing),
        (.inactive, .invalidate, .invalid, .nothing),
        (.inactive, .otherBecomesCurrent, .inactive, .nothing),
        (.inactive, .deletion, .inactive, .nothing),
        (.invalid, .becomeCurrent, .invalid, .nothing),
        (.invalid, .resignCurrent, .invalid, .nothing),
        (.invalid, .invalidate, .invalid, .nothing),
        (.invalid, .otherBecomesCurrent, .invalid, .nothing),
        (.invalid, .deletion, .invalid, .nothing),
    ]

    @Test(arguments: table)
    func `F6 each call does in each state what the table says`(row: Row) {
        var lifeCycle = ActivityLifeCycle(row.from)
        #expect(lifeCycle.receive(row.call) == row.effect)
        #expect(lifeCycle.phase == row.to)
    }

    @Test func `the table is complete`() {
        let pairs = Set(Self.table.map { "\($0.from) \($0.call)" })
        #expect(
            pairs.count
                == ActivityLifeCycle.Phase.allCases.count * ActivityLifeCycle.Call.allCases.count)
    }

    @Test func `a new activity starts with Apple's defaults`() {
        let activity = NSUserActivity(activityType: "com.example.type")
        #expect(activity.activityType == "com.example.type")
        #expect(activity.isEligibleForHandoff)
        #expect(!activity.isEligibleForSearch)
        #expect(!activity.isEligibleForPrediction)
        #expect(!activity.isEligibleForPublicIndexing)
        #expect(!activity.needsSave)
        #expect(!activity.supportsContinuationStreams)
        #expect(activity.keywords.isEmpty)
        #expect(activity.title == nil)
        #expect(activity.userInfo == nil)
        #expect(activity.requiredUserInfoKeys == nil)
        #expect(activity.webpageURL == nil)
        #expect(activity.expirationDate == nil)
        #expect(activity.persistentIdentifier == nil)
        #expect(activity.targetContentIdentifier == nil)
    }

    @Test func `one activity of an app is current, the newest`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let first = makeActivity("first")
            let second = makeActivity("second")
            first.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) === first)
            second.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) === second)
            first.resignCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) === second)
            second.resignCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            first.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) === first)
            #expect(try await app.events().count == 3)
        }
    }

    @Test func `two apps have a current activity each`() async throws {
        let one = try TestApp()
        let other = try TestApp()
        let first = makeActivity("first")
        let second = makeActivity("second")
        try await one.run { first.becomeCurrent() }
        try await other.run { second.becomeCurrent() }
        #expect(await NSUserActivity.advertised(in: one.store) === first)
        #expect(await NSUserActivity.advertised(in: other.store) === second)
    }

    @Test func `an invalid activity never becomes current again`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("gone")
            activity.invalidate()
            activity.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            #expect(try await app.saved() == [])
            #expect(try await app.problems() == [.invalidated])
        }
    }

    @Test func `an activity for Handoff alone is current and never stored`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = NSUserActivity(activityType: TestApp.type)
            activity.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
            #expect(try await app.saved() == [])
            #expect(try await app.events() == [])
        }
    }

    @Test func `without a store nothing is donated, and the app hears of it`() async throws {
        let app = try TestApp()
        let activity = makeActivity("nowhere")
        let heard = Heard()
        await DonationDiagnostics.withHandler(
            { heard.note($0) }, { activity.becomeCurrent() })
        #expect(
            heard.errors == [
                UserActivityError(.storeFailed, activityType: TestApp.type, detail: "noStore")
            ])
        #expect(try await app.saved() == [])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `calls from many tasks at once leave one activity or none current`(
        seed: UInt64
    ) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activities = (0..<4).map { makeActivity("\($0)", persistentIdentifier: "\($0)") }
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<8 as Range<UInt64> {
                    group.addTask {
                        var generator = SeededGenerator(seed: seed &* 1000 &+ task)
                        for _ in 0..<50 {
                            let activity = activities[Int.random(in: 0..<4, using: &generator)]
                            switch Int.random(in: 0..<6, using: &generator) {
                            case 0: activity.resignCurrent()
                            case 1: activity.needsSave = true
                            case 2: activity.userInfo = ["task": task]
                            case 3:
                                NSUserActivity.deleteSavedUserActivities(
                                    withPersistentIdentifiers: ["0", "1"]) {}
                            default: activity.becomeCurrent()
                            }
                        }
                    }
                }
            }
            // Whatever the order was, the next call decides alone.
            activities[2].becomeCurrent()
            let advertised = await NSUserActivity.advertised(in: app.store)
            #expect(advertised === activities[2], "seed \(seed)")
            #expect(try await app.titles().contains("2"))
            for activity in activities { activity.invalidate() }
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            await NSUserActivity.deleteAllSavedUserActivities()
            #expect(try await app.saved() == [])
            #expect(try await app.events() == [])
        }
    }
}
