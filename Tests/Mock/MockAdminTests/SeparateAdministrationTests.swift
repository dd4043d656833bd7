import Basics
import CloudModel
import HTTPServer
import JSON
import MockAdmin
import MockFaults
import MockSamples
import MockService
import MockStore
import Testing

/// The administration without a host: on services in memory, with namespaces that only note what they are asked for.
struct SeparateAdministrationTests {
    private final class Directory: NamespaceDirectory {
        private(set) var calls: [String] = []
        var summaries: [NamespaceSummary] = [
            NamespaceSummary(name: "one", url: "https://one.localhost", users: ["ann"])
        ]

        func create(_ name: NamespaceName) throws(MockError) -> CreatedNamespace {
            calls.append("create \(name)")
            guard name.description != "one" else { throw MockError(status: 409, "exists already") }
            return Self.created(name)
        }

        func fork(
            _ name: NamespaceName, of origin: NamespaceName?, at snapshot: String?
        ) throws(MockError) -> (
            job: any StoreJob, finish: () throws(MockError) -> CreatedNamespace
        ) {
            calls.append(
                "fork \(name) of \(origin?.description ?? "home") at \(snapshot ?? "now")")
            return (Nothing(), { () throws(MockError) in Self.created(name) })
        }

        func remove(_ name: NamespaceName) throws(MockError) { calls.append("remove \(name)") }

        private static func created(_ name: NamespaceName) -> CreatedNamespace {
            CreatedNamespace(
                name: name, url: "https://\(name).localhost", apiToken: "f00d", apiTokens: [],
                webTokens: [("ann", "secret")])
        }
    }

    private final class Nothing: StoreJob {
        func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool { false }
    }

    private let token = AdminToken()
    private let administration: Administration
    private let directory = Directory()
    private let committer: StoreCommitter

    init() throws {
        let clock = ServerClock(.fixed(Samples.start))
        committer = try StoreCommitter(location: .memory, clock: clock.wallClock, seed: 7)
        let store = committer.store
        let key = CredentialKey(seed: 7)
        let authenticator = try Authenticator(
            key, start: store.starts,
            webTokens: WebTokenIssuer(
                key, start: store.starts, isSingleUse: false, millisecondsMax: 1_800_000),
            checksClockSkew: true)
        let faults = FaultEngine(FaultPlan(seed: 7), store)
        let responses = ResponseWriter(seed: 7, authenticator)
        let observers = ExchangeObservers(
            store, journal: RequestJournal(entriesMax: 100, bytesMax: 1 << 20))
        let timers = PacedTimers()
        administration = Administration(
            Administration.Identity(
                started: Samples.start, seed: 7, adminToken: token, isInMemory: true),
            CloudKitService(
                store, clock, authenticator, RequestThrottle(), faults,
                ServerAddress(names: ["localhost"], certifiedNames: ["localhost"]), responses,
                observers),
            ResponseScheduler(
                BatchCommitter(committer, observers, warn: { _ in }), clock, faults, responses,
                observers, PushService(store, responses, timers, wait: .zero), timers))
    }

    private func send(
        _ method: String, _ path: String, _ body: String = "", isAuthorized: Bool = true
    ) throws -> (status: Int, json: JSONValue) {
        let request = HTTPRequest(
            method: method, target: Administration.prefix + path, body: Array(body.utf8))
        let response: HTTPResponse
        switch administration.respond(
            to: isAuthorized ? token.authorizing(request) : request)
        {
        case .respond(let made, _): response = made
        case .job(let job, let finish):
            while try job.runSlice(committer.store) {}
            response = finish()
        case let other:
            Issue.record("\(other)")
            response = HTTPResponse(status: 0)
        }
        return (response.status, try JSONDocument.parse(response.body).root)
    }

    @Test func `a request needs the token, and a refused one changes nothing`() throws {
        administration.namespaces = directory
        #expect(
            try send("POST", "namespaces", #"{"name":"two"}"#, isAuthorized: false).status == 401)
        #expect(try send("POST", "users", #"{"name":"eve"}"#, isAuthorized: false).status == 401)
        #expect(directory.calls.isEmpty)
        #expect(committer.store.users.isEmpty)
        #expect(try send("POST", "users", #"{"name":"eve"}"#).status == 200)
        #expect(committer.store.users.map(\.name) == ["eve"])
    }

    @Test func `namespaces are created, copied, listed and deleted by the directory`() throws {
        #expect(try send("POST", "namespaces", #"{"name":"two"}"#).status == 409)
        administration.namespaces = directory
        let created = try send("POST", "namespaces", #"{"name":"two"}"#)
        #expect(created.status == 200)
        #expect(created.json["url"]?.string == "https://two.localhost")
        #expect(created.json["webTokens"]?["ann"]?.string == "secret")
        #expect(try send("POST", "namespaces", #"{"name":"one"}"#).status == 409)
        let copied = try send(
            "POST", "namespaces", #"{"name":"three","fork":"one","snapshot":"s"}"#)
        #expect(copied.json["name"]?.string == "three")
        _ = try send("POST", "namespaces", #"{"name":"four","snapshot":"s"}"#)
        #expect(try send("DELETE", "namespaces?name=two").json["removed"]?.string == "two")
        #expect(try send("POST", "namespaces", #"{"name":"No!"}"#).status == 400)
        #expect(
            directory.calls == [
                "create two", "create one", "fork three of one at s", "fork four of home at s",
                "remove two",
            ])
        let list = try send("GET", "namespaces").json["namespaces"]
        #expect(list?.elements.map { $0["name"]?.string } == ["one"])
    }

    @Test func `a setting by name takes effect in the service that owns it`() throws {
        #expect(try send("PUT", "options", #"{"singleUseTokens":true}"#).status == 200)
        #expect(administration.authenticator.webTokens.isSingleUse)
        #expect(try send("PUT", "options", #"{"singleUseToken":true}"#).status == 400)
    }
}
