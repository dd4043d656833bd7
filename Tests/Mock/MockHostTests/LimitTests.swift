import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockSamples
import Testing

/// The service's limits as switches: the edge is met with three, and answered as the true one.
struct LimitTests {
    private static let notes = RecordZone.ID("Notes")

    private func bench(_ switches: String...) throws -> Bench {
        let bench = try Bench { configuration in
            for text in switches { try? configuration.set(text) }
        }
        try bench.make("Notes")
        return bench
    }

    private func save(_ names: [String], _ text: String = "") -> CloudCommand {
        let operations = names.map {
            RecordOperation(
                .forceUpdate, recordName: $0, recordType: "Note",
                fields: ["text": Field(.string(text))])
        }
        return .write(
            .modifyRecords(RecordModifyRequest(operations: operations, zoneID: Self.notes)))
    }

    private func reason(_ answer: Bench.Answer?) throws -> String {
        try #require(answer?.json?["reason"]?.string)
    }

    @Test func `as many operations, and a body as long, as is allowed`() throws {
        let low = try bench("operationsMax=3")
        #expect(try low.call(save(["a", "b", "c"]))?.status == 200)
        let refused = try low.call(save(["a", "b", "c", "d"]))
        let true200 = try bench().call(save((0..<201).map { "r\($0)" }))
        #expect(refused?.status == 400 && true200?.status == 400)
        #expect(refused?.code == "BAD_REQUEST" && true200?.code == "BAD_REQUEST")
        #expect(try reason(refused) == "'operations' holds 4 items, more than 3")
        #expect(try reason(true200) == "'operations' holds 201 items, more than 200")

        let bytes = WireRequest(save(["a"], "xyz"), at: Samples.address()).body.count
        let short = try bench("bodyBytesMax=\(bytes)")
        #expect(try short.call(save(["a"], "xyz"))?.status == 200)
        let long = try short.call(save(["a"], "wxyz"))
        #expect(long?.status == 400 && long?.code == "BAD_REQUEST")
        #expect(try reason(long) == "the request is larger than \(bytes) bytes")
        let trueLong = try bench().call(save(["a"], String(repeating: "x", count: 2 << 20)))
        #expect(trueLong?.status == 400)
        #expect(try reason(trueLong) == "the request is larger than \(2 << 20) bytes")
    }

    @Test func `as many participants as are allowed`() throws {
        let bench = try bench("participantsMax=2")
        for user in ["eve", "kim"] {
            try bench.admin("POST", "users", #"{"name":"\#(user)"}"#)
        }
        func share(with user: String) throws -> Bench.Answer {
            try bench.admin(
                "POST", "simulate",
                #"""
                {"event":"share","user":"ann","with":"\#(user)","zone":"Notes",\#
                "container":"\#(Samples.address().container)"}
                """#)
        }
        for user in ["bob", "eve"] { #expect(try share(with: user).status == 200) }
        let third = try share(with: "kim")
        #expect(third.status != 200)
        #expect(third.text.contains("a share has at most 2 participants in addition to its owner"))
    }

    @Test func `an asset as long as is allowed`() throws {
        let bench = try bench("assetBytesMax=3")
        func upload(_ bytes: [UInt8]) throws -> Bench.Answer? {
            let request = AssetUploadRequest(
                [.init(recordType: "Note", fieldName: "photo", recordName: "a")],
                zoneID: Self.notes)
            guard
                case .assetUploads(let items) = try bench.reply(.write(.uploadAssets(request))),
                case .address(_, let url)? = items.first
            else { return nil }
            let path = String(url.dropFirst("https://localhost:8443".count))
            return try bench.send(HTTPRequest(method: "POST", target: path, body: bytes))
        }
        #expect(try upload([1, 2, 3])?.status == 200)
        let refused = try #require(try upload([1, 2, 3, 4]))
        #expect(refused.status == 413 && refused.code == "BAD_REQUEST")
        #expect(refused.text.contains("the file is larger than 3 bytes"))
    }

    @Test(arguments: [
        ("operationsMax", 200), ("recordsPageMax", 200), ("recordBytesMax", 1 << 20),
        ("bodyBytesMax", 2 << 20), ("assetBytesMax", 50 << 20), ("referrersMax", 750),
        ("participantsMax", 100), ("cascadeMax", 2000),
    ])
    func `a limit is lowered only, and shown`(name: String, most: Int) throws {
        let bench = try Bench()
        #expect(try bench.admin("GET", "options").json?[name]?.int64 == Int64(most))
        for wrong in [0, -1, most + 1] {
            let answer = try bench.admin("PUT", "options", "{\"\(name)\":\(wrong)}")
            #expect(answer.status == 400)
            #expect(answer.text.contains("must be a whole number from 1 to \(most)"))
        }
        #expect(try bench.admin("PUT", "options", "{\"\(name)\":1}").json?[name]?.int64 == 1)
        #expect(try bench.admin("PUT", "options", "{\"\(name)\":\(most)}").status == 200)
    }

    @Test func `a device that sends too many requests is throttled, and longer each time`() throws {
        let bench = try bench("throttlePerMinute=60", "throttleBurst=2")
        let list = CloudCommand.read(.listZones(token: nil))
        // One was spent on the zone.
        #expect(try bench.call(list)?.status == 200)
        let first = try #require(try bench.call(list))
        #expect(first.status == 429 && first.code == "THROTTLED")
        #expect(first.json?["retryAfter"]?.double == 1)
        #expect(first.headers["retry-after"] == "1")
        #expect(try bench.call(list)?.json?["retryAfter"]?.double == 2)
        #expect(try bench.call(list, as: "bob")?.status == 200)
        bench.now.milliseconds += 1000
        #expect(try bench.call(list)?.status == 200)
        try bench.admin("PUT", "options", #"{"throttlePerMinute":0}"#)
        for _ in 0..<10 { #expect(try bench.call(list)?.status == 200) }
    }
}
