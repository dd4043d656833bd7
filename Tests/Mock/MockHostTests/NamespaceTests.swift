import Foundation
import JSON
import MockHost
import MockSamples
import MockStore
import Testing
import ToolRunner

/// Worlds of one server, asked by curl.
@Suite(.timeLimit(.minutes(10)))
struct NamespaceTests {
    typealias Running = MockServerTests.Running

    /// How one namespace is reached.
    struct World {
        let running: Running
        let url: String
        let apiToken: String
        let webTokens: [String: String]

        func curl(_ arguments: [String]) throws -> (status: Int, text: String) {
            let ended = try running.curl(
                ["--cacert", running.ready.caFile, "-w", "\n%{http_code}"] + arguments)
            let lines = ended.text.split(separator: "\n", omittingEmptySubsequences: false)
            return (
                Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n")
            )
        }

        func admin(
            _ method: String, _ path: String, _ body: String? = nil
        ) throws -> (status: Int, text: String) {
            try curl(
                ["-X", method, url + "/_mock/v1/" + path] + (body.map { ["-d", $0] } ?? []))
        }

        func address(_ operation: String, token: String? = nil, at url: String? = nil) -> String {
            (url ?? self.url) + "/database/1/\(Samples.main)/development/private/\(operation)"
                + "?ckAPIToken=\(apiToken)&ckWebAuthToken=\(token ?? webTokens["ann"] ?? "")"
        }

        func call(_ operation: String, _ body: String? = nil) throws -> (status: Int, text: String)
        {
            try curl([address(operation)] + (body.map { ["-d", $0] } ?? []))
        }

        func make(zone: String) throws -> (status: Int, text: String) {
            try call(
                "zones/modify",
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(zone)"}}}]}"#
            )
        }

        func save(_ name: String, in zone: String) throws -> (status: Int, text: String) {
            try call(
                "records/modify",
                #"{"zoneID":{"zoneName":"\#(zone)"},"operations":[{"operationType":"create","#
                    + #""record":{"recordName":"\#(name)","recordType":"Note","fields":{}}}]}"#)
        }
    }

    private func home(_ running: Running) -> World {
        World(
            running: running, url: running.ready.url, apiToken: running.ready.apiToken,
            webTokens: running.ready.webTokens)
    }

    private func add(_ running: Running, _ body: String) throws -> World {
        let answer = try home(running).admin("POST", "namespaces", body)
        try #require(answer.status == 200, "\(answer.text)")
        let facts = try JSONDecoder().decode(Facts.self, from: Data(answer.text.utf8))
        return World(
            running: running, url: facts.url, apiToken: facts.apiToken, webTokens: facts.webTokens)
    }

    private func add(_ running: Running, name: String) throws -> World {
        try add(running, #"{"name":"\#(name)"}"#)
    }

    /// The first element of a list in an answer.
    private func first(_ list: String, of answer: String) throws -> JSONValue? {
        let elements = try JSONDocument.parse(Array(answer.utf8)).root[list]?.elements
        return elements.flatMap { Array($0).first }
    }

    private struct Facts: Decodable {
        var url: String
        var apiToken: String
        var webTokens: [String: String]
    }

    @Test func `worlds with the same users and zones do not see each other`() throws {
        let running = try Running()
        let (one, two) = (try add(running, name: "one"), try add(running, name: "two"))
        #expect(one.url == "https://one.localhost:\(running.ready.port)")
        for world in [one, two, home(running)] {
            #expect(try world.make(zone: "Notes").status == 200)
            #expect(
                try world.save("only-at-\(world.url.dropFirst(8).prefix(3))", in: "Notes").status
                    == 200)
        }
        for world in [one, two, home(running)] {
            let dump = try world.admin("GET", "dump?user=ann").text
            let found = ["one", "two", "loc"].filter { dump.contains("only-at-\($0)") }
            #expect(found == [String(world.url.dropFirst(8).prefix(3))])
        }
        #expect(try one.admin("POST", "reset", "{}").status == 200)
        #expect(try !one.admin("GET", "dump?user=ann").text.contains("Notes"))
        #expect(try two.admin("GET", "dump?user=ann").text.contains("only-at-two"))
        let list = try two.admin("GET", "namespaces").text
        #expect(
            list
                == #"{"namespaces":[{"name":"one","url":"\#(one.url)","users":["ann","bob"]},"#
                + #"{"name":"two","url":"\#(two.url)","users":["ann","bob"]}]}"#)
    }

    @Test func `tokens of one world are refused in another`() throws {
        let running = try Running()
        let (one, two) = (try add(running, name: "one"), try add(running, name: "two"))
        #expect(try one.call("zones/list").status == 200)
        for (token, other) in [
            (one, two), (two, one), (one, home(running)), (home(running), one),
        ] {
            let address = other.address("zones/list", token: token.webTokens["ann"])
            #expect(try other.curl([address]).status == 401)
            #expect(try token.curl([token.address("zones/list", at: other.url)]).status == 401)
        }
    }

    @Test func `clock, faults, journal and switches are each world's own`() throws {
        let running = try Running()
        let (one, two) = (try add(running, name: "one"), try add(running, name: "two"))
        _ = try one.admin("PUT", "clock", #"{"mode":"frozen","now":"2031-05-06T07:08:09Z"}"#)
        _ = try one.admin("PUT", "faults", #"["zones/list -> THROTTLED"]"#)
        _ = try one.admin("PUT", "options", #"{"emptyPages":3}"#)
        #expect(try one.call("zones/list").status != 200)
        #expect(try two.call("zones/list").status == 200)
        #expect(try one.admin("GET", "clock").text.contains("2031-05-06T07:08:09"))
        #expect(try !two.admin("GET", "clock").text.contains("2031-05-06T"))
        #expect(
            try one.curl(["-i", one.url + "/_mock/v1/health"]).text.contains("2031 07:08:09 GMT"))
        #expect(
            try !two.curl(["-i", two.url + "/_mock/v1/health"]).text.contains("2031 07:08:09 GMT"))
        #expect(try two.admin("GET", "faults").text == #"{"rules":[]}"#)
        #expect(try two.admin("GET", "options").text.contains(#""emptyPages":0"#))
        #expect(try one.admin("GET", "journal").text.contains(#""total":1,"#))
        #expect(try home(running).admin("GET", "journal").text.contains(#""total":0,"#))
    }

    @Test func `a namespace is named by its host, a header or a path, which must agree`() throws {
        let running = try Running()
        let one = try add(running, name: "one")
        #expect(try one.make(zone: "Notes").status == 200)
        let url = running.ready.url
        let header = ["-H", "X-Mock-Namespace: one"]
        #expect(try one.curl(header + [one.address("zones/list", at: url)]).text.contains("Notes"))
        #expect(try one.curl([one.address("zones/list", at: url + "/~one")]).text.contains("Notes"))
        #expect(try one.curl(header + [one.address("zones/list")]).text.contains("Notes"))
        for arguments in [
            ["-H", "X-Mock-Namespace: two", one.address("zones/list")],
            header + [one.address("zones/list", at: url + "/~two")],
        ] {
            let answer = try one.curl(arguments)
            #expect(answer.status == 400)
            #expect(
                answer.text.contains("\\\"one\\\"") && answer.text.contains("\\\"two\\\""),
                "\(answer.text)")
        }
        let upload = #"{"tokens":[{"recordType":"Note","fieldName":"file"}]}"#
        #expect(
            try one.curl(header + [one.address("assets/upload", at: url), "-d", upload]).text
                .contains("\"url\":\"\(url)/~one/"))
        #expect(try one.call("assets/upload", upload).text.contains("\"url\":\"\(one.url)/"))
    }

    @Test func `an unknown namespace is refused with the nearest name`() throws {
        let running = try Running()
        let one = try add(running, name: "run-17")
        for arguments in [
            ["https://run-71.localhost:\(running.ready.port)/_mock/v1/health"],
            ["-H", "X-Mock-Namespace: run-71", running.ready.url + "/_mock/v1/health"],
            ["-d", "{}", one.address("zones/list", at: running.ready.url + "/~run-71")],
        ] {
            let answer = try one.curl(arguments)
            #expect(answer.status == 404)
            #expect(answer.text.contains(#"nearest: \"run-17\""#), "\(answer.text)")
        }
        for name in ["-a", "a-", "a_b", "a.b", "", "localhost", String(repeating: "a", count: 64)] {
            let answer = try home(running).admin("POST", "namespaces", #"{"name":"\#(name)"}"#)
            #expect(answer.status == 400, "\(name): \(answer.text)")
        }
        #expect(try home(running).admin("POST", "namespaces", #"{"name":"run-17"}"#).status == 409)
    }

    @Test func `a namespace is made when first asked for, where that is wanted`() throws {
        let running = try Running { $0.makesNamespaces = true }
        let url = "https://new.localhost:\(running.ready.port)"
        let world = World(running: running, url: url, apiToken: "", webTokens: [:])
        #expect(try world.admin("GET", "health").text.contains("\"url\":\"\(url)\""))
        #expect(try home(running).admin("GET", "namespaces").text.contains(#""name":"new""#))
        #expect(try world.curl([running.ready.url + "/~a_b/_mock/v1/health"]).status == 400)
    }

    @Test func `a deleted namespace refuses requests, and can be made anew`() throws {
        let running = try Running()
        let one = try add(running, name: "one")
        #expect(try one.make(zone: "Notes").status == 200)
        let removed = try one.admin("DELETE", "namespaces?name=one")
        #expect(removed.text == #"{"removed":"one"}"#)
        #expect(try one.call("zones/list").status == 404)
        #expect(try home(running).admin("DELETE", "namespaces?name=one").status == 404)
        let again = try add(running, name: "one")
        #expect(try !again.call("zones/list").text.contains("Notes"))
        #expect(try home(running).call("zones/list").status == 200)
    }

    @Test func `a request that waits in a deleted namespace is answered`() throws {
        let running = try Running()
        let one = try add(running, name: "one")
        let token = try one.call("tokens/create", #"{"apnsEnvironment":"development"}"#)
        let courier = try #require(
            try JSONDocument.parse(Array(token.text.utf8)).root["webcourierURL"]?.string,
            "\(token.text)")
        let body = running.folder.appendingPathComponent("answer").path
        let poll = try ChildProcess(
            "/usr/bin/curl", ["-sS", "--cacert", running.ready.caFile, "-o", body, courier])
        // The device's polls are told of as soon as one waits.
        while try !one.admin("GET", "pushes").text.contains(#""polls":1"#) {}
        #expect(try home(running).admin("DELETE", "namespaces?name=one").status == 200)
        #expect(poll.wait() == 0)
        #expect(try String(contentsOfFile: body, encoding: .utf8).contains("was deleted"))
    }

    @Test func `long work in a deleted namespace ends with an answer`() throws {
        let running = try Running()
        let one = try add(running, name: "one")
        let body = running.folder.appendingPathComponent("answer").path
        let seed = try ChildProcess(
            "/usr/bin/curl",
            [
                "-sS", "--cacert", running.ready.caFile, "-o", body, "-H",
                "Authorization: \(running.ready.adminToken.headerValue)", "-d",
                #"{"profile":"wide","users":["carl"],"zones":1000000,"records":0}"#,
                one.url + "/_mock/v1/seed",
            ])
        while try !one.admin("GET", "users").text.contains(#""carl""#) {}
        #expect(try home(running).admin("DELETE", "namespaces?name=one").status == 200)
        #expect(seed.wait() == 0)
        #expect(try String(contentsOfFile: body, encoding: .utf8).contains("was deleted"))
    }

    @Test func `there are no more namespaces than are allowed`() throws {
        let running = try Running {
            $0.namespacesMax = 2
            $0.makesNamespaces = true
        }
        _ = try (add(running, name: "one"), add(running, name: "two"))
        let third = try home(running).admin("POST", "namespaces", #"{"name":"three"}"#)
        #expect(third.status == 409)
        #expect(third.text.contains("the limit is 2 namespaces"))
        #expect(
            try home(running).curl(["-H", "X-Mock-Namespace: three", running.ready.url]).status
                == 409)
        _ = try home(running).admin("DELETE", "namespaces?name=one")
        _ = try add(running, name: "three")
    }

    @Test func `a namespace has what fixtures brought, also beside a durable store`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("home-\(ProcessInfo.processInfo.globallyUniqueString)").path
        let fixture = folder + ".json"
        defer {
            try? FileManager.default.removeItem(atPath: folder)
            try? FileManager.default.removeItem(atPath: fixture)
        }
        let text =
            #"{"version":1,"shows":"a zone","users":["ann"],"databases":[{"user":"ann","#
            + #""container":"\#(Samples.main)","zones":[{"name":"Fixed","records":["#
            + #"{"recordName":"a","recordType":"Note","fields":{}}]}]}]}"#
        try text.write(toFile: fixture, atomically: true, encoding: .utf8)
        for storage in [MockServerConfiguration.Storage.memory, .directory(folder)] {
            let running = try Running {
                $0.storage = storage
                $0.fixtures = [fixture]
            }
            let before = try home(running).admin("GET", "dump?user=ann").text
            _ = try home(running).make(zone: "Later")
            let dump = try add(running, name: "one").admin("GET", "dump?user=ann").text
            #expect(dump.contains("Fixed") && !dump.contains("Later"), "\(dump)")
            if storage == .memory { #expect(dump == before) }
            #expect(running.stop())
        }
    }

    @Test func `one HTTP-2 connection serves several namespaces`() throws {
        let running = try Running()
        let (one, two) = (try add(running, name: "one"), try add(running, name: "two"))
        #expect(try one.make(zone: "Notes").status == 200)
        let ended = try running.curl([
            "--cacert", running.ready.caFile, "--http2", "-w", "%{num_connects}\n",
            one.address("zones/list", at: running.ready.url + "/~one"), "--next", "-sS",
            "--cacert", running.ready.caFile, "--http2", "-w", "%{num_connects}\n", "-H",
            "X-Mock-Namespace: two", two.address("zones/list", at: running.ready.url),
        ])
        let lines = ended.text.split(separator: "\n")
        #expect(
            lines.count == 2 && lines[0].hasSuffix("1") && lines[1].hasSuffix("0"), "\(ended.text)")
        #expect(lines.first?.contains("Notes") == true && lines.last?.contains("Notes") == false)
    }

    @Test func `fifty worlds are used at once`() throws {
        let running = try Running()
        let problems = Problems()
        DispatchQueue.concurrentPerform(iterations: 50) { number in
            do {
                let world = try add(running, name: "run-\(number)")
                let made = try world.make(zone: "Zone-\(number)")
                let list = try world.call("zones/list").text
                let seen = (0..<50).filter { list.contains(#""Zone-\#($0)""#) }
                if made.status != 200 || seen != [number] { problems.add("\(number): \(list)") }
            } catch {
                problems.add("\(number): \(error)")
            }
        }
        #expect(problems.all.isEmpty, "\(problems.all)")
    }

    /// What went wrong in several threads.
    private final class Problems: @unchecked Sendable {
        // Holds: every use is under the lock.
        private let lock = NSLock()
        private var found: [String] = []

        func add(_ problem: String) { lock.withLock { found.append(problem) } }
        var all: [String] { lock.withLock { found } }
    }

    @Test func `a reset puts a snapshot back, whole`() throws {
        let running = try Running()
        let origin = home(running)
        _ = try origin.make(zone: "Notes")
        _ = try origin.save("before", in: "Notes")
        let before = try origin.admin("GET", "dump?user=ann").text
        _ = try origin.admin("POST", "simulate", #"{"event":"snapshot","name":"start"}"#)
        _ = try origin.save("after", in: "Notes")
        let reset = try origin.admin("POST", "reset", #"{"to":"start","also":["journal"]}"#)
        #expect(reset.text == #"{"generation":2}"#)
        #expect(try origin.admin("GET", "dump?user=ann").text == before)
        #expect(try origin.admin("GET", "journal").text.contains(#""kept":0"#))
        let unknown = try origin.admin("POST", "reset", #"{"to":"strat"}"#)
        #expect(unknown.status == 404 && unknown.text.contains("start"), "\(unknown.text)")
        let scoped = try origin.admin("POST", "reset", #"{"to":"start","zone":"Notes"}"#)
        #expect(scoped.status == 400 && scoped.text.contains("as a whole"))
    }

    // MARK: - Forks

    @Test func `a fork has what its origin had, and goes its own way`() throws {
        let running = try Running()
        let origin = home(running)
        _ = try origin.make(zone: "Notes")
        _ = try origin.save("before", in: "Notes")
        _ = try origin.admin("PUT", "faults", #"["records/query -> THROTTLED"]"#)
        let fork = try add(running, #"{"name":"copy","fork":"localhost"}"#)
        _ = try fork.save("in-the-fork", in: "Notes")
        _ = try origin.save("in-the-origin", in: "Notes")
        let (ours, theirs) = (
            try fork.admin("GET", "dump?user=ann").text,
            try origin.admin("GET", "dump?user=ann").text
        )
        #expect(ours.contains(#""before""#) && theirs.contains(#""before""#))
        #expect(ours.contains("in-the-fork") && !ours.contains("in-the-origin"))
        #expect(theirs.contains("in-the-origin") && !theirs.contains("in-the-fork"))
        #expect(try fork.admin("GET", "faults").text.contains("records/query"))
        #expect(
            try add(running, #"{"name":"again","fork":"copy"}"#).admin("GET", "dump?user=ann").text
                == ours)
    }

    @Test func `a fork of a snapshot has what that held`() throws {
        let running = try Running()
        let origin = home(running)
        _ = try origin.make(zone: "Notes")
        _ = try origin.save("before", in: "Notes")
        let before = try origin.admin("GET", "dump?user=ann").text
        _ = try origin.admin("POST", "simulate", #"{"event":"snapshot","name":"s"}"#)
        _ = try origin.save("after", in: "Notes")
        let fork = try add(running, #"{"name":"copy","snapshot":"s"}"#)
        #expect(try fork.admin("GET", "dump?user=ann").text == before)
        #expect(try origin.admin("GET", "dump?user=ann").text.contains("after"))
        #expect(try fork.admin("GET", "snapshots").text == #"{"snapshots":["s"]}"#)
        let unknown = try origin.admin(
            "POST", "namespaces", #"{"name":"other","snapshot":"t"}"#)
        #expect(unknown.status == 404)
    }

    @Test func `a change token goes on in the other world as far as both share, and no further`()
        throws
    {
        let running = try Running()
        let origin = home(running)
        func changes(_ world: World, _ token: String?) throws -> (
            code: String?, token: String, names: [String]
        ) {
            let sync = token.map { #","syncToken":"\#($0)""# } ?? ""
            let answer = try world.call(
                "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}\#(sync)}]}"#)
            let zone = try first("zones", of: answer.text)
            let names = zone?["records"]?.elements.compactMap { $0["recordName"]?.string } ?? []
            return (zone?["serverErrorCode"]?.string, zone?["syncToken"]?.string ?? "", names)
        }
        _ = try origin.make(zone: "Notes")
        _ = try origin.save("before", in: "Notes")
        let shared = try changes(origin, nil).token
        let fork = try add(running, #"{"name":"copy","fork":"localhost"}"#)
        _ = try origin.save("of-origin", in: "Notes")
        for number in 0..<3 { _ = try fork.save("of-fork-\(number)", in: "Notes") }
        #expect(try changes(fork, shared).names == ["of-fork-0", "of-fork-1", "of-fork-2"])
        #expect(try changes(origin, shared).names == ["of-origin"])
        // Places that each has of its own mean nothing to the other, though the other has such places.
        #expect(try changes(fork, try changes(origin, nil).token).code == "BAD_REQUEST")
        #expect(try changes(origin, try changes(fork, shared).token).code == "BAD_REQUEST")
    }

    @Test func `a fork has the files of assets, whatever becomes of the origin`() throws {
        let running = try Running()
        let origin = try add(running, name: "origin")
        _ = try origin.make(zone: "Notes")
        let upload = try origin.call(
            "assets/upload",
            #"{"zoneID":{"zoneName":"Notes"},"tokens":[{"recordName":"a","recordType":"Note","fieldName":"file"}]}"#
        )
        let address = try #require(
            try first("tokens", of: upload.text)?["url"]?.string, "\(upload.text)")
        let receipt = try origin.curl(["--data-binary", "the bytes", address]).text
        let value = try #require(receipt.split(separator: "{", maxSplits: 2).last)
        let saved = try origin.call(
            "records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":"#
                + #"{"recordName":"a","recordType":"Note","fields":{"file":{"value":{\#(value.prefix { $0 != "}" })}}}}}]}"#
        )
        try #require(
            saved.status == 200 && !saved.text.contains("serverErrorCode"),
            "\(receipt) \(saved.text)")
        let fork = try add(running, #"{"name":"copy","fork":"origin"}"#)
        _ = try origin.admin("DELETE", "namespaces?name=origin")
        let record = try fork.call(
            "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
        let download = try #require(
            try first("records", of: record.text)?["fields"]?["file"]?["value"]?["downloadURL"]?
                .string, "\(record.text)")
        #expect(try fork.curl([download]).text == "the bytes")
    }
}
