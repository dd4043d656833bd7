import CloudModel
import Foundation
import HTTPServer
import JSON
import MockAdmin
import MockRules
import MockSamples
import MockStore
import RepositoryRoot
import Testing

/// What tests and tools may do to the server.
struct MockAdminTests {
    @Test(
        arguments: [
            ["origin": "https://evil.example"], ["origin": "null"],
            ["origin": "https://localhost:9999"], ["sec-fetch-site": "cross-site"],
            ["sec-fetch-site": "same-site"],
        ] as [HTTPHeaders])
    func `web pages are refused`(headers: HTTPHeaders) throws {
        let bench = try Bench()
        for (method, path) in [
            ("POST", "reset"), ("GET", "tokens"), ("PUT", "faults"), ("POST", "simulate"),
        ] {
            #expect(try bench.admin(method, path, headers: headers).status == 403)
        }
    }

    @Test func `what is known of a user stays when a store is opened again`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("store-\(ProcessInfo.processInfo.globallyUniqueString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func caller(_ change: (Bench) throws -> Void) throws -> String? {
            let bench = try Bench { $0.storage = .directory(folder) }
            try change(bench)
            return try bench.call(.read(.caller), at: Samples.address(.public))?.text
        }
        let named = try caller {
            try $0.admin("POST", "users", #"{"name":"ann","givenName":"Anna","familyName":"Z"}"#)
        }
        #expect(named?.contains("Anna") == true)
        #expect(try caller { _ in } == named)
    }

    @Test func `the server's own pages and plain tools are let in`() throws {
        let bench = try Bench()
        #expect(try bench.admin("GET", "health").status == 200)
        let own: HTTPHeaders = [
            "origin": "https://localhost:8443", "sec-fetch-site": "same-origin",
        ]
        #expect(try bench.admin("GET", "health", headers: own).status == 200)
    }

    @Test(arguments: [
        ("GET", "healht", 404), ("DELETE", "health", 405), ("POST", "users", 400),
        ("GET", "journal?oper=x", 400), ("GET", "journal?limit=-1", 400),
        ("DELETE", "keys?keyID=x", 404), ("GET", "dump?user=nobody", 400),
    ])
    func `wrong requests say what is wrong`(method: String, path: String, status: Int) throws {
        let answer = try Bench().admin(method, path)
        #expect(answer.status == status)
        #expect(answer.json?["error"]?.string?.isEmpty == false)
        #expect(answer.headers.contains("allow") == (status == 405))
    }

    @Test(arguments: [
        ("users", "{"), ("users", "[]"), ("users", #"{"name":"a b"}"#),
        ("users", #"{"name":"a","name":"b"}"#), ("users", #"{"nam":"a"}"#),
        ("tokens", #"{"user":"nobody"}"#), ("tokens", #"{"apiToken":"with space"}"#),
        ("tokens", #"{"container":"nope"}"#), ("keys", #"{"publicKey":"nope"}"#),
        ("seed", #"{"profile":"notse"}"#), ("seed", #"{"profile":"notes","zones":-1}"#),
        ("seed", #"{"profile":"notes","users":["a b"]}"#), ("seed", "{}"),
        ("reset", #"{"user":"nobody"}"#), ("reset", #"{"also":["everything"]}"#),
        ("reset", #"{"database":"secret"}"#), ("clock/advance", #"{"seconds":1e9}"#),
        ("simulate", "{}"), ("simulate", #"{"event":"purg"}"#),
        ("simulate", #"{"event":"purge","user":"ann"}"#), ("simulate", #"{"event":"sign-out"}"#),
        ("simulate", #"{"event":"sign-out","user":"ann","zone":"Notes"}"#),
        ("simulate", #"{"event":"sign-out","user":"ann","device":"a/b"}"#),
        ("simulate", #"{"event":"compact","database":"public"}"#),
        ("simulate", #"{"event":"compact","databse":"private"}"#),
        ("simulate", #"{"event":"snapshot","name":"a b"}"#), ("simulate", #"{"event":7}"#),
        ("tokens", #"{"user":"ann","device":"a b"}"#), ("faults", #"{"rules":[7]}"#),
    ])
    func `malformed bodies are refused`(path: String, body: String) throws {
        let answer = try Bench().admin("POST", path, body)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.json?["error"]?.string?.isEmpty == false)
    }

    @Test func `users are made with a token that works`() throws {
        let bench = try Bench()
        let made = try bench.admin("POST", "users", #"{"name":"zoe","givenName":"Zoë"}"#)
        let token = try #require(made.json?["webToken"]?.string)
        let target =
            "/database/1/\(Samples.main)/development/private/users/caller?ckAPIToken="
            + "\(made.json?["apiToken"]?.string ?? "")&ckWebAuthToken=\(token)"
        #expect(try bench.send(HTTPRequest(method: "GET", target: target))?.status == 200)
        let names = try bench.admin("GET", "users").json?["users"]?.elements
            .compactMap { $0["name"]?.string }
        #expect(names == ["ann", "bob", "zoe"])
    }

    @Test func `a reset empties what it names and keeps the rest`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        try bench.make("Notes", user: "bob")
        try bench.admin("PUT", "faults", #"{"rules":["users/* -> delay 1ms"]}"#)
        let answer = try bench.admin("POST", "reset", #"{"user":"ann"}"#)
        #expect(answer.json?["generation"]?.int64 == 2)
        #expect(try bench.zoneNames() == [])
        #expect(try bench.zoneNames("bob") == ["Notes"])
        #expect(try bench.admin("GET", "faults").json?["rules"]?.count == 1)
        try bench.admin("POST", "reset", #"{"also":["faults","journal"]}"#)
        #expect(try bench.zoneNames("bob") == [])
        #expect(try bench.admin("GET", "faults").json?["rules"]?.count == 0)
    }

    @Test func `the journal holds what happened and no secret`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        try bench.admin("PUT", "faults", #"["zones/modify -> CONFLICT on 1 items"]"#)
        _ = try bench.call(Samples.deleteZones("Notes"))
        _ = try bench.call(.read(.caller), as: nil)
        let journal = try bench.admin("GET", "journal")
        let entries = Array(try #require(journal.json?["entries"]).elements)
        #expect(
            entries.map { $0["operation"]?.string } == [
                "zones/modify", "zones/modify", "users/caller",
            ])
        #expect(entries[1]["user"]?.string == "ann")
        #expect(entries[1]["codes"]?["CONFLICT"]?.int64 == 1)
        #expect(entries[1]["faults"]?.elements.map(\.string) == ["fault-1"])
        #expect(entries[1]["zones"]?.elements.map(\.string) == ["Notes"])
        #expect(entries[2]["status"]?.int64 == 421)
        #expect(entries[2]["user"] == nil)
        #expect(!journal.text.contains(bench.webToken("ann")))
        #expect(!journal.text.contains(try bench.apiToken))
        let some = try bench.admin("GET", "journal?operation=users/*&status=421")
        #expect(some.json?["matching"]?.int64 == 1)
        try bench.admin("DELETE", "journal")
        #expect(try bench.admin("GET", "journal").json?["kept"]?.int64 == 0)
    }

    @Test func `the journal keeps its bound`() throws {
        let bench = try Bench { $0.journalEntriesMax = 5 }
        for _ in 0..<9 { _ = try bench.call(.read(.caller)) }
        let json = try bench.admin("GET", "journal").json
        #expect(json?["kept"]?.int64 == 5)
        #expect(json?["dropped"]?.int64 == 4)
        #expect(json?["total"]?.int64 == 9)
    }

    @Test(arguments: ["demo", "odd-names", "references", "default-zone-only", "bystander", "empty"])
    func `every fixture goes in without a refusal`(name: String) throws {
        let bench = try Bench()
        let answer = try bench.admin(
            "POST", "seed", try Repository.text("Containers/fixtures/\(name).json"))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.json?["refused"]?.count == 0)
    }

    @Test(arguments: SeedProfile.allCases)
    func `every profile goes in without a refusal, the same each time`(
        profile: SeedProfile
    ) throws {
        func dump() throws -> String {
            let bench = try Bench { $0.seed = 4 }
            let answer = try bench.admin(
                "POST", "seed",
                #"{"profile":"\#(profile.rawValue)","users":2,"zones":4,"records":12,"seed":3}"#)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json?["zones"]?.int64 == 24)
            return try ["ann", "bob"].map { try bench.admin("GET", "dump?user=\($0)").text }
                .joined()
        }
        #expect(try dump() == dump())
    }

    @Test func `a dump is JSON lines, one for each thing, and nothing of how we are written`()
        throws
    {
        let bench = try Bench()
        try bench.make("Notes")
        let place = Field(.location(Location(latitude: 1.5, longitude: -2)))
        let request = RecordModifyRequest(
            operations: [
                RecordOperation(
                    .create, recordName: "a \"name\" \\ n", recordType: "Note",
                    fields: ["place": place, "tags": Field(.list(.string, [.string("a")]))])
            ], zoneID: RecordZone.ID("Notes"))
        _ = try bench.call(.write(.modifyRecords(request)))
        let subscription = Subscription(subscriptionID: "s", kind: .database)
        _ = try bench.call(.write(.modifySubscriptions([.create(subscription)])))
        let answer = try bench.admin("GET", "dump?user=ann")
        #expect(answer.headers["content-type"] == "application/x-ndjson")
        let lines = try answer.body.split(separator: 0x0A).map {
            try JSONDocument.parse(Array($0)).root
        }
        let keys = lines.map { $0.members.map(\.key) }
        #expect(
            keys == [
                ["database", "user"], ["zone"], ["record"], ["subscription", "user"],
            ])
        try #require(lines.count == 4)
        #expect(lines[0]["database"]?.string == "\(Samples.main)/development/private")
        let record = try #require(lines[2]["record"])
        #expect(record["recordName"]?.string == "a \"name\" \\ n")
        #expect(record["fields"]?["place"]?["value"]?["latitude"]?.double == 1.5)
        #expect(record["fields"]?["tags"]?["type"]?.string == "STRING_LIST")
        #expect(lines[3]["subscription"]?["subscriptionID"]?.string == "s")
        #expect(!answer.text.contains("CloudModel"))
    }

    @Test func `the rules are listed by area, status and number`() throws {
        let bench = try Bench()
        func rules(_ query: String) throws -> [JSONValue] {
            let answer = try bench.admin("GET", "rules" + query)
            #expect(answer.status == 200, "\(answer.text)")
            let rules = (answer.json?["rules"]).map { Array($0.elements) } ?? []
            let totals = answer.json?["totals"]?.members.compactMap { $0.value.int64 } ?? []
            #expect(totals.reduce(0, +) == Int64(rules.count))
            return rules
        }
        #expect(try rules("").count == RuleBook.own.rules.count)
        let one = try #require(try rules("?number=67").first)
        #expect(one["area"]?.string == "feeds" && one["status"]?.string == "observed")
        #expect(one["setting"]?.string == "--option emptyPages")
        #expect(one["tests"]?.elements.compactMap(\.string) == ["C-67"])
        #expect(one["date"]?.string == "2026-04-30" && one["untested"] == nil)
        #expect(try rules("?number=67&area=zones").isEmpty)
        let ours = try rules("?area=queries&status=ours")
        #expect(ours.contains { $0["rule"]?.string == "unknown-type" && $0["number"] == nil })
        for (query, hint) in [
            ("?number=0", "1 to 118"), ("?number=x", "1 to 118"), ("?area=zone", "\"zones\""),
            ("?status=our", "\"ours\""),
        ] {
            let answer = try bench.admin("GET", "rules" + query)
            #expect(
                answer.status == 400 && answer.text.contains(hint.replacing("\"", with: "\\\"")))
        }
    }

    @Test func `options change what the service does`() throws {
        let bench = try Bench()
        let deletion = Samples.deleteZones("_defaultZone")
        #expect(try bench.call(deletion)?.text.contains("BAD_REQUEST") == true)
        let answer = try bench.admin("PUT", "options", #"{"defaultZoneMode":"ignore"}"#)
        #expect(answer.json?["defaultZoneMode"]?.string == "ignore")
        #expect(try bench.call(deletion)?.text.contains("BAD_REQUEST") == false)
        let wrong = try bench.admin(
            "PUT", "options", #"{"defaultZoneMode":"purge","recordsPageMax":0}"#)
        #expect(wrong.status == 400)
        let now = try bench.admin("GET", "options")
        #expect(now.json?["defaultZoneMode"]?.string == "ignore", "all or none")
    }

    @Test func `the clock can be stopped, moved and let go`() throws {
        let bench = try Bench()
        var clock = try bench.admin(
            "PUT", "clock", #"{"mode":"frozen","now":"2026-01-15T08:30:00Z"}"#)
        bench.now.milliseconds += 5000
        clock = try bench.admin("GET", "clock")
        #expect(clock.json?["now"]?.string == "2026-01-15T08:30:00Z")
        clock = try bench.admin("POST", "clock/advance", #"{"seconds":60}"#)
        #expect(clock.json?["now"]?.string == "2026-01-15T08:31:00Z")
        clock = try bench.admin("PUT", "clock", #"{"mode":"real"}"#)
        #expect(clock.json?["milliseconds"]?.int64 == bench.now.milliseconds)
    }

    @Test func `a person erases a zone in the settings of a device`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let body = #"{"event":"purge","user":"ann","container":"\#(Samples.main)","zone":"Notes"}"#
        #expect(try bench.admin("POST", "simulate", body).status == 200)
        #expect(try bench.zoneNames() == [])
        #expect(try bench.admin("POST", "simulate", body).status == 404)
    }
}
