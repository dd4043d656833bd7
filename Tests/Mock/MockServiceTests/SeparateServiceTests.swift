import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockSamples
import MockService
import MockStore
import Testing

/// Each service does its work without host and administration.
struct SeparateServiceTests {
    private let create = CloudCommand.write(.modifyZones([.create(RecordZone.ID("Notes"))]))

    @Test func `operations are executed, written and observed`() throws {
        let parts = try ServiceParts()
        let response = try #require(parts.response(to: parts.request(create)))
        #expect(response.status == 200)
        let reply = try ReplyReader.read(response.body, status: response.status, to: create)
        guard case .zones(let zones) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(zones.count == 1)
        let list = try #require(
            parts.response(to: parts.request(.read(.listZones(token: nil)))))
        #expect(String(decoding: list.body, as: UTF8.self).contains("Notes"))
        #expect(
            parts.observers.journal.entries().map(\.operation) == ["zones/modify", "zones/list"])
        #expect(parts.observers.journal.entries().map(\.user) == ["ann", "ann"])
    }

    @Test func `a request without credentials is refused, and is in the journal`() throws {
        let parts = try ServiceParts()
        let response = try #require(parts.response(to: parts.request(create, isSigned: false)))
        #expect(response.status == 401)
        #expect(parts.observers.journal.entries().map(\.status) == [401])
        guard
            case .zonePage(let page) = try ReplyReader.read(
                try #require(parts.response(to: parts.request(.read(.listZones(token: nil)))))
                    .body, status: 200, to: .read(.listZones(token: nil)))
        else {
            Issue.record("no list of zones")
            return
        }
        #expect(page.zones.count { !$0.id.isDefault } == 0)
    }

    @Test func `a fault cuts the connection after the work is done`() throws {
        let parts = try ServiceParts()
        try parts.faults.plan.set(
            try Samples.rule("zones/modify once -> cut after commit"), now: parts.clock.now)
        guard case .cut = parts.service.respond(to: parts.request(create)) else {
            Issue.record("the connection was not cut")
            return
        }
        let list = try #require(
            parts.response(to: parts.request(.read(.listZones(token: nil)))))
        #expect(String(decoding: list.body, as: UTF8.self).contains("Notes"))
    }

    @Test func `a client that sends too much has to wait`() throws {
        var rate = RequestThrottle.Rate()
        (rate.perMinute, rate.burst) = (1, 1)
        let parts = try ServiceParts(throttle: rate)
        #expect(parts.response(to: parts.request(create))?.status == 200)
        let refused = try #require(parts.response(to: parts.request(create)))
        #expect(refused.status == 429)
        #expect(try JSONDocument.parse(refused.body).root["retryAfter"]?.int64 == 60)
    }

    @Test func `the sign-in page needs an API token, and signs a user in`() throws {
        let parts = try ServiceParts()
        let signIn = SignInService(parts.store, parts.clock, parts.authenticator, parts.address)
        let path = SignInService.path
        #expect(throws: MockError(status: 401, Self.unknownToken)) {
            _ = try signIn.respond(to: HTTPRequest(method: "GET", target: path + "?apiToken=x"))
        }
        let form = "apiToken=\(parts.authenticator.defaultAPIToken)&user=ann"
        let outcome = try signIn.respond(
            to: HTTPRequest(method: "POST", target: path, body: Array(form.utf8)))
        guard case .respond(let response, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self).contains("ann"))
    }

    private static let unknownToken =
        "the API token is unknown; open the redirectURL of a 421 response"

    @Test func `there is no download at an address that was never given out`() throws {
        let parts = try ServiceParts()
        let timers = PacedTimers()
        let scheduler = ResponseScheduler(
            BatchCommitter(parts.committer, parts.observers, warn: { _ in }), parts.clock,
            parts.faults, parts.responses, parts.observers,
            PushService(parts.store, parts.responses, timers, wait: .zero), timers)
        let transfers = AssetTransferService(parts.store, parts.address, scheduler)
        let unknown = HTTPRequest(method: "GET", target: "/asset/nothing/there")
        guard case .respond(let response, _) = transfers.respond(toDownload: unknown) else {
            Issue.record("no response")
            return
        }
        #expect(response.status == 404)
    }
}
