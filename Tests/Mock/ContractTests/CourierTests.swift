import AsyncOperations
import Basics
import CloudModel
import Foundation
import JSON
import Testing

/// Where web pages wait for pushes, behind TLS.
@Suite(.timeLimit(.minutes(10))) struct CourierTests {
    private static let clock = WallClock {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// A device that waits for pushes, and another that writes.
    private struct Setting {
        let service: ServerService
        let writer: Asker
        let courier: String

        init(wait: Duration) async throws {
            service = try ServerService(clock: CourierTests.clock, courierWait: wait)
            guard let container = Container.ID("iCloud.com.example.push") else { throw Odd() }
            let address = Database.Address(
                container: container, environment: .development, scope: .private)
            let reader = Asker(
                service: service, address: address, caller: .user("ada", device: "page"))
            writer = Asker(
                service: service, address: address, caller: .user("ada", device: "phone"))
            try await writer.create("Notes")
            courier = try #require(try await reader.pushToken().courierURL)
            var info = Subscription.NotificationInfo()
            info.shouldSendContentAvailable = true
            info.alertLocalizationKey = "NEW"
            info.alertLocalizationArgs = ["title", "none"]
            info.additionalFields = ["title", "n", "long"]
            info.shouldBadge = true
            let subscription = Subscription(
                subscriptionID: "q", kind: .query, query: Query(recordType: "Note"),
                firesOn: [.create, .update, .delete], notificationInfo: info)
            try await writer.subscribe(.create(subscription))
        }

        func poll() async throws -> JSONValue? {
            let (status, body) = try await service.poll(courier)
            #expect(status == 200)
            return body.isEmpty ? nil : try JSONDocument.parse(body).root
        }
    }

    @Test func `whoever waits gets a push as soon as there is one, and it once`() async throws {
        let setting = try await Setting(wait: .seconds(60))
        async let waiting = setting.poll()
        try await setting.writer.put("a", ["title": .string("Hello"), "n": .int64(7)])
        let push = try #require(try await waiting)
        #expect(try PushSeen(payload: push).bare == PushSeen("q", "a", .create))
        try await setting.writer.put("b")
        let next = try #require(try await setting.poll())
        #expect(try PushSeen(payload: next).bare == PushSeen("q", "b", .create))
    }

    @Test func `a push says what the documents say it does`() async throws {
        let setting = try await Setting(wait: .zero)
        let long = String(repeating: "x", count: 300)
        try await setting.writer.put(
            "a", ["title": .string("Hello"), "n": .int64(7), "long": .string(long)])
        let (_, body) = try await setting.service.poll(setting.courier)
        let push = try JSONDocument.parse(body).root
        let owner = try await setting.writer.me().userRecordName
        let nid = try #require(push["ck"]?["nid"]?.string)
        #expect(UUID(uuidString: nid) != nil)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"aps":{"alert":{"loc-key":"NEW","loc-args":["Hello",""]},"badge":1,"#
                + #""content-available":1},"ck":{"cid":"iCloud.com.example.push","nid":"\#(nid)","#
                + #""p":1,"qry":{"rid":"a","zid":"Notes","zoid":"\#(owner)","sid":"q","fo":1,"#
                + #""dbs":2,"af":{"title":"Hello","n":7}}}}"#)
    }

    @Test func `who has waited long enough gets an empty answer`() async throws {
        let setting = try await Setting(wait: .milliseconds(20))
        #expect(try await setting.poll() == nil)
    }

    @Test func `a token that was never issued is refused`() async throws {
        let setting = try await Setting(wait: .zero)
        for query in ["", "?tok=", "?tok=AAAA", "?token=x"] {
            let address = setting.service.ready.url + "/courier" + query
            #expect(try await setting.service.poll(address).status == 401, "\(query)")
        }
    }

    @Test func `many can wait for one device, and each is answered`() async throws {
        let setting = try await Setting(wait: .seconds(2))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 { group.addTask { try await setting.poll() != nil } }
            // Whichever of them four are: they get a push each, or one for several, and the others
            // nothing.
            for number in 0..<4 { try await setting.writer.put("r\(number)") }
            var told = 0
            for try await isPush in group where isPush { told += 1 }
            #expect((1...4).contains(told))
        }
    }
}
