import Foundation
import JSON
import MockHost
import Testing

/// Requests that wait at gates, asked by curl.
@Suite(.timeLimit(.minutes(10)))
struct GateTests {
    typealias Running = MockServerTests.Running

    /// A server, and words for two clients of one user.
    private final class Scene: Sendable {
        let running: Running
        init(_ change: (inout MockServerConfiguration) -> Void = { _ in }) throws {
            running = try Running(change)
            _ = try call(
                "zones/modify",
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#
            )
        }

        func admin(_ method: String, _ path: String, _ body: String? = nil) throws -> JSONValue {
            let answer = try running.curl(
                ["--cacert", running.ready.caFile, "-X", method]
                    + [running.ready.url + "/_mock/v1/" + path]
                    + (body.map { ["-d", $0] } ?? []))
            return try JSONDocument.parse(Array(answer.text.utf8)).root
        }

        /// The answer to a request of the service; curl's complaint where there is none.
        func call(_ operation: String, _ body: String? = nil) throws -> String {
            try running.curl(
                ["--cacert", running.ready.caFile, running.url(operation)]
                    + (body.map { ["-d", $0] } ?? [])
            ).text
        }

        /// Saves a record, with the tag that it should have.
        func save(_ value: String, tag: String? = nil) throws -> String {
            let tag = tag.map { #","recordChangeTag":"\#($0)""# } ?? ""
            return try call(
                "records/modify",
                #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"\#(tag.isEmpty ? "forceReplace" : "update")","#
                    + #""record":{"recordName":"a","recordType":"Note","fields":{"text":{"value":"\#(value)"}}\#(tag)}}]}"#
            )
        }

        func text() throws -> String {
            try call(
                "records/lookup",
                #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
        }

        /// Does something on a thread of its own.
        func begin(_ body: @escaping @Sendable (Scene) throws -> String) -> Later {
            let later = Later()
            Thread.detachNewThread { [self] in later.end(Result { try body(self) }) }
            return later
        }

        /// What waits at a gate, once it is so much.
        func waiting(_ count: Int, at gate: String = "g") throws -> [JSONValue] {
            while true {
                let gates = try admin("GET", "gates")["gates"]?.elements.map { $0 } ?? []
                let waiting = gates.first { $0["name"]?.string == gate }?["waiting"]
                if waiting?.count == count { return waiting?.elements.map { $0 } ?? [] }
                try #require(waiting?.count ?? 0 < count)
            }
        }
    }

    /// What somebody else is doing.
    private final class Later: @unchecked Sendable {
        // Holds: written before the semaphore is signalled, read after it was waited for.
        private var result: Result<String, any Error>?
        private let semaphore = DispatchSemaphore(value: 0)
        func end(_ result: Result<String, any Error>) {
            self.result = result
            semaphore.signal()
        }
        func get() throws -> String {
            semaphore.wait()
            defer { semaphore.signal() }
            return try result?.get() ?? ""
        }
    }

    @Test func `of two clients that change one record the second to go on loses`() throws {
        let scene = try Scene()
        let tag = try #require(try scene.save("old").firstMatch(of: /"recordChangeTag":"(\w+)"/)?.1)
        _ = try scene.admin(
            "POST", "gates", #"{"name":"g","when":"every modify","at":"before-commit"}"#)
        let phone = scene.begin { try $0.save("phone", tag: String(tag)) }
        let first = try scene.waiting(1)
        let desk = scene.begin { try $0.save("desk", tag: String(tag)) }
        let both = try scene.waiting(2).compactMap { $0["number"]?.int64 }
        #expect(first.first?["user"]?.string == "ann" && first.first?["zones"]?.count == 1)
        let order = both.reversed().map { "\($0)" }.joined(separator: ",")
        let released = try scene.admin(
            "POST", "gates/release", "{\"name\":\"g\",\"numbers\":[\(order)]}")
        #expect(released["released"]?.elements.map { $0.int64 } == both.reversed())
        #expect(try phone.get().contains("CONFLICT"))
        #expect(try desk.get().contains("recordChangeTag"))
        #expect(try scene.text().contains("desk"))
    }

    @Test(arguments: [
        ("received", false), ("before-commit", false), ("after-commit", true),
        ("before-reply", true),
    ])
    func `a request waits before or after it is carried out`(point: String, isDone: Bool) throws {
        let scene = try Scene()
        _ = try scene.admin(
            "PUT", "faults", "[\"next modify -> hold g at \(point)\",\"any -> delay 1ms\"]")
        let save = scene.begin { try $0.save("new") }
        _ = try scene.waiting(1)
        #expect(try scene.text().contains("new") == isDone)
        _ = try scene.admin("POST", "gates/release", #"{"name":"g","count":1}"#)
        #expect(try save.get().contains("recordChangeTag"))
        #expect(try scene.text().contains("new"))
        let entries = try scene.admin("GET", "journal?operation=records/modify")["entries"]
        #expect(
            entries?.elements.map { $0["faults"]?.elements.map { $0.string } } == [
                ["fault-1", "fault-2"]
            ])
    }

    @Test func `a request waits at one gate after another`() throws {
        let scene = try Scene()
        _ = try scene.admin(
            "PUT", "faults",
            #"["modify -> hold g","modify -> hold h at before-commit","modify -> hold i at after-commit"]"#
        )
        let save = scene.begin { try $0.save("new") }
        for gate in ["g", "h", "i"] {
            _ = try scene.waiting(1, at: gate)
            _ = try scene.admin("POST", "gates/release", "{\"name\":\"\(gate)\"}")
        }
        #expect(try save.get().contains("recordChangeTag"))
    }

    @Test func `a request goes on by itself when its time is up`() throws {
        let scene = try Scene()
        _ = try scene.admin(
            "POST", "gates", #"{"name":"g","when":{"operation":"modify"},"deadline":0.05}"#)
        #expect(try scene.save("new").contains("recordChangeTag"))
        #expect(try scene.admin("GET", "gates")["timedOut"]?.int64 == 1)
    }

    /// Of two gates the first is left: nobody would be there to release them from the other.
    @Test(arguments: ["gates", "faults", "stop"], ["received", "before-commit", "after-commit"])
    func `nobody comes to another gate that is gone, or of a server that ends`(
        act: String, point: String
    ) throws {
        let scene = try Scene()
        _ = try scene.admin(
            "PUT", "faults",
            "[\"modify -> hold g at received\",\"modify -> hold h at \(point)\"]")
        let save = scene.begin { try $0.save("new") }
        _ = try scene.waiting(1)
        switch act {
        case "gates": _ = try scene.admin("DELETE", "gates")
        case "faults":
            _ = try scene.admin("DELETE", "faults")
            _ = try scene.admin("POST", "gates/release", #"{"name":"g"}"#)
        default: #expect(scene.running.stop())
        }
        #expect(try save.get().contains("recordChangeTag"))
    }

    @Test func `those that came first are released first, and only of their gate`() throws {
        let scene = try Scene()
        _ = try scene.admin(
            "PUT", "faults", #"["users/caller -> hold g","zones/list -> hold h"]"#)
        let calls = try (1...3).map { count in
            let call = scene.begin { try $0.call("users/caller") }
            _ = try scene.waiting(count)
            return call
        }
        let list = scene.begin { try $0.call("zones/list") }
        let other = try #require(try scene.waiting(1, at: "h").first?["number"]?.int64)
        let numbers = try scene.waiting(3).map { $0["number"]?.int64 ?? 0 }
        let first = try scene.admin("POST", "gates/release", #"{"name":"g","count":2}"#)
        #expect(first["released"]?.elements.map { $0.int64 } == Array(numbers.prefix(2)))
        #expect(first["left"]?.int64 == 1)
        for text in ["\(other)", "\(numbers[2]),\(numbers[2])"] {
            let refused = try scene.admin(
                "POST", "gates/release", "{\"name\":\"g\",\"numbers\":[\(text)]}")
            #expect(refused["error"]?.string?.contains("none was released") == true, "\(text)")
        }
        for gate in ["g", "h"] {
            #expect(try scene.waiting(1, at: gate).count == 1)
            _ = try scene.admin("POST", "gates/release", "{\"name\":\"\(gate)\"}")
        }
        for call in calls { #expect(try call.get().contains("userRecordName")) }
        #expect(try list.get().contains("zones"))
    }

    @Test(arguments: ["reset", "gates", "stop"])
    func `nobody waits on when the gate or the data go, or the server ends`(act: String) throws {
        let scene = try Scene()
        _ = try scene.admin("POST", "gates", #"{"name":"g","when":"users/caller"}"#)
        let caller = scene.begin { try $0.call("users/caller") }
        _ = try scene.waiting(1)
        switch act {
        case "reset": _ = try scene.admin("POST", "reset", "{}")
        case "gates": _ = try scene.admin("DELETE", "gates?name=g")
        default: #expect(scene.running.stop())
        }
        #expect(try caller.get().contains("userRecordName"))
    }

    @Test func `a gate that is not there is refused with the nearest, and nothing is released`()
        throws
    {
        let scene = try Scene()
        _ = try scene.admin("POST", "gates", #"{"name":"gate","when":"users/caller"}"#)
        let wrong = try scene.admin("POST", "gates/release", #"{"name":"gat"}"#)
        #expect(wrong["error"]?.string?.contains("\"gate\"") == true)
        let caller = scene.begin { try $0.call("users/caller") }
        let number = try scene.waiting(1, at: "gate").first?["number"]?.int64 ?? 0
        let refused = try scene.admin(
            "POST", "gates/release", "{\"name\":\"gate\",\"numbers\":[\(number),\(number + 1)]}")
        #expect(refused["error"]?.string?.contains("none was released") == true)
        _ = try scene.waiting(1, at: "gate")
        _ = try scene.admin("DELETE", "gates")
        #expect(try caller.get().contains("userRecordName"))
        #expect(try scene.admin("GET", "gates")["gates"]?.count == 0)
    }
}
