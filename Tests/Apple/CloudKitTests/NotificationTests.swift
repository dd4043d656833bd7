import AsyncOperations
import CloudKit
import CloudKitMock
import Foundation
import RepositoryRoot
import Testing

/// What apps read from pushes, and how they get them.
@Suite(.timeLimit(.minutes(10)))
struct NotificationTests {
    private static func push(_ kind: String, _ subject: [String: Any]) -> [AnyHashable: Any] {
        ["ck": ["cid": "iCloud.com.example.notes", "nid": "n-1", kind: subject] as [String: Any]]
    }

    @Test func `the base class answers an object of the push's own class`() {
        let kinds: [(String, CKNotification.NotificationType, CKNotification.Type)] = [
            ("qry", .query, CKQueryNotification.self),
            ("fet", .recordZone, CKRecordZoneNotification.self),
            ("met", .database, CKDatabaseNotification.self),
        ]
        for (key, type, class_) in kinds {
            let push = Self.push(key, ["sid": "s", "dbs": 3])
            let made = CKNotification(fromRemoteNotificationDictionary: push)
            #expect(made.map { Swift.type(of: $0) == class_ } == true)
            #expect(made?.notificationType == type)
            #expect(made?.subscriptionID == "s")
            #expect(made?.containerIdentifier == "iCloud.com.example.notes")
            #expect(
                (CKQueryNotification(fromRemoteNotificationDictionary: push) == nil)
                    == (type != .query))
        }
    }

    @Test func `a push of somebody else's zone names the owner, one's own does not`() {
        let subject: [String: Any] = [
            "rid": "a", "zid": "Notes", "zoid": "_bob", "sid": "s", "fo": 3, "dbs": 3,
            "af": ["title": "Hello", "n": 7] as [String: Any],
        ]
        let shared = CKQueryNotification(
            fromRemoteNotificationDictionary: Self.push("qry", subject))
        #expect(shared?.recordID?.zoneID.ownerName == "_bob")
        #expect(shared?.queryNotificationReason == .recordDeleted)
        #expect(shared?.databaseScope == .shared)
        #expect(shared?.recordFields?["title"] as? String == "Hello")
        #expect(shared?.recordFields?["n"] as? Int == 7)
        let own = CKRecordZoneNotification(
            fromRemoteNotificationDictionary: Self.push(
                "fet", subject.merging(["dbs": 2]) { $1 }))
        #expect(own?.recordZoneID == CKRecordZone.ID(zoneName: "Notes"))
        #expect(own?.databaseScope == .private)
    }

    @Test func `a courier that has nothing at once is asked less and less often`() async throws {
        let clock = ManualClock(movesByItself: true)
        let asked = Locked<[Duration]>([])
        var polling = CourierPolling(clock: clock)
        let answer = try await polling.next { () async throws(CKError) in
            let count = asked.withLock { asked in
                asked.append(clock.now.sinceStart)
                return asked.count
            }
            // One that waits with its answer is asked again at once.
            if count == 4 { clock.advance(by: .seconds(30)) }
            return count < 6 ? [] : [7]
        }
        #expect(answer == [7])
        #expect(asked.withLock { $0 } == [0, 1, 3, 7, 37, 38].map { Duration.seconds($0) })
    }

    @Test func `what is no push of CloudKit's is nothing`() {
        let odd: [[AnyHashable: Any]] = [
            [:], ["aps": ["alert": "Lunch"]], ["ck": "text"], ["ck": [:] as [String: Any]],
            ["ck": ["qry": 7] as [String: Any]], ["ck": ["xyz": [:] as [String: Any]]],
        ]
        for push in odd {
            #expect(CKNotification(fromRemoteNotificationDictionary: push) == nil)
        }
    }

    @Test func `a push with parts missing, or of another type, is read as far as it goes`() {
        let push: [AnyHashable: Any] = [
            "aps": ["alert": 5, "badge": "x"] as [String: Any],
            "ck": [
                "p": 1,
                "qry": ["rid": "a", "zid": "Notes", "fo": 9, "dbs": "2"] as [String: Any],
            ] as [String: Any],
        ]
        let read = CKNotification(fromRemoteNotificationDictionary: push) as? CKQueryNotification
        #expect(read?.isPruned == true)
        #expect(read?.recordID == nil && read?.subscriptionID == nil && read?.badge == nil)
        #expect(read?.notificationID == nil && read?.alertBody == nil)
        #expect(read?.queryNotificationReason == .recordUpdated)
        #expect(read?.databaseScope == .private)
    }

    @Test func `alerts come as a text or in parts`() {
        var push = Self.push("met", ["sid": "s", "dbs": 2])
        push["aps"] = ["alert": "Hello", "badge": 3, "sound": "ping", "category": "C"]
        let plain = CKNotification(fromRemoteNotificationDictionary: push)
        #expect(plain?.alertBody == "Hello" && plain?.title == nil)
        #expect(plain?.badge == 3 && plain?.soundName == "ping" && plain?.category == "C")
        push["aps"] = [
            "alert": ["title": "T", "loc-key": "NEW", "loc-args": ["a", "b"]] as [String: Any]
        ]
        let parts = CKNotification(fromRemoteNotificationDictionary: push)
        #expect(parts?.title == "T" && parts?.alertLocalizationKey == "NEW")
        #expect(parts?.alertLocalizationArgs == ["a", "b"])
    }

    @Test func `an ID is kept in an archive`() throws {
        let push = Self.push("met", ["sid": "s"])
        let id = try #require(
            CKNotification(fromRemoteNotificationDictionary: push)?.notificationID)
        let bytes = try NSKeyedArchiver.archivedData(
            withRootObject: id, requiringSecureCoding: true)
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKNotification.ID.self, from: bytes)
                == id)
    }

    @Test func `without a server there are no pushes, and that is said`() async throws {
        let world = try World()
        var pushes = CloudKitPushes(of: world.container).makeAsyncIterator()
        let error = await failure { _ = try await pushes.next() }
        #expect(error?.code == .serverRejectedRequest)
    }

    @Test(arguments: ["ListenerSwift5", "ListenerSwift6"])
    func `row 111, an app is handed the pushes of what another device does`(
        app: String
    ) async throws {
        let configuration = MockCloudConfiguration(
            containers: ["iCloud.com.example.myexampleapp"], accounts: ["ann"])
        try await withMockCloud(seed: 21, depth: .socket, configuration: configuration) { cloud in
            var variables = try await cloud.variables(as: "ann")
            variables["OTHER_DEVICE"] =
                try await cloud.variables(as: "ann")["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"]
            variables["CLOUDKIT_CONTAINERS"] =
                Repository.url("Containers/example.json").path
            let ended = try Program.run(Program.path(app), [], variables)
            #expect(ended.status == 0, "\(ended.output)")
            let expected = [
                "subscribed: 3", "foreign: false", "zone: zone true", "zone: zone true",
                "database: everything 2", "database: everything 2",
                "query: notes 1 pushed true From the other device A new note NOTE",
                "query: notes 3 pushed true From the other device A new note NOTE",
            ]
            #expect(ended.lines.sorted() == expected.sorted(), "\(ended.output)")
        }
    }
}
