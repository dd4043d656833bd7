import Basics
import CloudModel
import CloudWire
import Foundation
import HTTPServer
import JSON
import RepositoryRoot
import Testing
import ToolRunner

/// The bytes of assets over HTTP.
@Suite(.timeLimit(.minutes(10)))
struct AssetTransferTests {
    private static let file = Array("a photograph".utf8)

    private func uploadTarget(_ bench: Bench, _ record: String = "a") throws -> String {
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: "photo", recordName: record)
        guard
            case .assetUploads(let items) = try bench.reply(
                .write(.uploadAssets(AssetUploadRequest([token])))),
            case .address(_, let url)? = items.first
        else { throw CloudError(.unknown) }
        #expect(url.hasPrefix("https://localhost:8443/upload/"))
        return String(url.dropFirst("https://localhost:8443".count))
    }

    private func send(
        _ bench: Bench, _ method: String, _ target: String, headers: HTTPHeaders = [:],
        _ body: [UInt8] = []
    ) throws -> Bench.Answer {
        try #require(
            try bench.send(
                HTTPRequest(method: method, target: target, headers: headers, body: body)))
    }

    /// Uploads a file and attaches it; the target that it can be had from.
    private func attach(_ bench: Bench, _ bytes: [UInt8] = file) throws -> String {
        let answer = try send(bench, "POST", try uploadTarget(bench), bytes)
        let file = try #require(answer.json?["singleFile"])
        var asset = Asset(
            fileChecksum: try #require(file["fileChecksum"]?.string),
            size: try #require(file["size"]?.int64))
        asset.receipt = file["receipt"]?.string
        let operation = RecordOperation(
            .forceReplace, recordName: "a", recordType: "Note",
            fields: ["photo": Field(.asset(asset))])
        let request = RecordModifyRequest(operations: [operation])
        guard case .records(let reply) = try bench.reply(.write(.modifyRecords(request))),
            case .record(let record)? = reply.records.first,
            case .asset(let kept)? = record.fields["photo"]?.value, let url = kept.downloadURL
        else { throw CloudError(.unknown) }
        return String(url.dropFirst("https://localhost:8443".count))
    }

    @Test(arguments: [("status 502", 502), ("wrong content garbage", 200)])
    func `an answer to an upload or a download can be somebody else's`(
        action: String, status: Int
    ) throws {
        let bench = try Bench()
        let target = try uploadTarget(bench)
        let download = try attach(bench)
        _ = try bench.admin("PUT", "faults", "[\"assets/* -> \(action)\"]")
        let answer = try send(bench, "POST", target, Self.file)
        #expect(answer.status == status && answer.json?["singleFile"] == nil)
        let file = try send(bench, "GET", download)
        #expect(file.status == status && file.body != Self.file)
        _ = try bench.admin("DELETE", "faults")
        #expect(try send(bench, "POST", target, Self.file).json?["singleFile"] != nil)
        #expect(try send(bench, "GET", download).body == Self.file)
    }

    @Test func `the file is taken raw or as a form, whatever else is sent`() throws {
        let form =
            "--B\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\na photograph\r\n--B--"
        let ways: [(method: String, headers: HTTPHeaders, body: [UInt8], query: String)] = [
            ("POST", ["content-type": "application/octet-stream"], Self.file, ""),
            ("POST", ["content-type": "application/x-www-form-urlencoded"], Self.file, "?a=b"),
            ("PUT", ["x-apple-cloudkit-request-keyid": "wrong"], Self.file, "?ckAPIToken=none"),
            ("POST", ["content-type": "multipart/form-data; boundary=B"], Array(form.utf8), ""),
        ]
        var checksums: Set<String?> = []
        for way in ways {
            let bench = try Bench()
            var headers = way.headers
            headers.append("origin", "https://app.example.com")
            let answer = try send(
                bench, way.method, try uploadTarget(bench) + way.query, headers: headers, way.body)
            #expect(answer.status == 200, "\(answer.text)")
            let file = try #require(answer.json?["singleFile"])
            #expect(
                file.members.map(\.key) == [
                    "fileChecksum", "size", "referenceChecksum", "wrappingKey", "receipt",
                ])
            #expect(file["size"]?.int64 == 12)
            #expect(file["fileChecksum"]?.string.flatMap { Base64.decode($0) }?.count == 21)
            checksums.insert(file["fileChecksum"]?.string)
            #expect(
                answer.headers["access-control-allow-origin"] == "https://app.example.com")
        }
        #expect(checksums.count == 1)
    }

    @Test func `the same seed gives the same addresses, and another seed others`() throws {
        func target(_ seed: UInt64?) throws -> String {
            try uploadTarget(try Bench { $0.seed = seed })
        }
        #expect(try target(1) == target(1))
        #expect(Set([try target(1), try target(2), try target(nil), try target(nil)]).count == 4)
    }

    @Test func `a form that cannot be read, and a method that has no meaning, are refused`() throws
    {
        let bench = try Bench()
        let target = try uploadTarget(bench)
        for (type, body, words) in [
            ("multipart/form-data", "x", "boundary"),
            ("multipart/form-data; boundary=B", "x", "no part"),
            ("multipart/form-data; boundary=B", "--B\r\n\r\nx", "ends before"),
        ] {
            let answer = try send(
                bench, "POST", target, headers: ["content-type": type], Array(body.utf8))
            #expect(answer.status == 400 && answer.code == "BAD_REQUEST")
            #expect(answer.text.contains(words), "\(answer.text)")
        }
        let wrong = try send(bench, "GET", target)
        #expect(wrong.status == 405 && wrong.headers["allow"] == "POST, PUT, OPTIONS")
        #expect(try send(bench, "OPTIONS", target).status == 200)
        let unknown = try send(bench, "POST", "/upload/0123", Self.file)
        #expect(unknown.status == 404 && unknown.text.contains("is not an upload address"))
        // None of them has used the address up.
        #expect(try send(bench, "POST", target, Self.file).status == 200)
        bench.now.milliseconds += 900_000
        let late = try send(bench, "POST", target, Self.file)
        #expect(late.status == 410 && late.text.contains("expired"))
        let journal = try bench.admin("GET", "journal?operation=assets/upload/bytes")
        let entries = try #require(journal.json?["entries"]).elements.map { $0 }
        #expect(entries.compactMap { $0["status"]?.int64 } == [400, 400, 400, 405, 404, 200, 410])
    }

    @Test func `a requested range of an asset is sent`() throws {
        let bench = try Bench()
        let target = try attach(bench)
        let whole = try send(bench, "GET", target)
        #expect(whole.status == 200 && whole.body == Self.file)
        #expect(whole.headers["content-type"] == "application/octet-stream")
        #expect(whole.headers["content-disposition"] == "attachment")
        #expect(whole.headers["accept-ranges"] == "bytes")
        let tag = try #require(whole.headers["etag"])
        for (range, text, status) in [
            ("bytes=2-6", "photo", 206), ("bytes=-5", "graph", 206), ("bytes=7-", "graph", 206),
            ("bytes=12-", "", 416), ("bytes=x", "a photograph", 200),
        ] {
            let part = try send(bench, "GET", target + "/name", headers: ["range": range])
            #expect(part.status == status && part.text == text, "\(range)")
        }
        let current = try send(
            bench, "GET", target, headers: ["range": "bytes=2-6", "if-range": tag])
        #expect(current.status == 206)
        let changed = try send(
            bench, "GET", target, headers: ["range": "bytes=2-6", "if-range": "\"other\""])
        #expect(changed.status == 200)
        #expect(try send(bench, "HEAD", target).headers["etag"] == tag)
        #expect(try send(bench, "POST", target).status == 405)
        let wrong = try send(bench, "GET", "/asset/0123")
        #expect(wrong.status == 404 && wrong.text.contains("is not an asset's address"))
        _ = try bench.reply(
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: [
                        RecordOperation(.forceDelete, recordName: "a")
                    ]))))
        let gone = try send(bench, "GET", target)
        #expect(gone.status == 404 && gone.code == "NOT_FOUND" && gone.text.contains("was deleted"))
    }

    @Test(arguments: [
        ("api.apple-cloudkit.com", "https://api.apple-cloudkit.com"),
        ("API.apple-cloudkit.com:443", "https://api.apple-cloudkit.com:443"),
        ("a.mock.example:8443", "https://a.mock.example:8443"),
        ("[::1]:8443", "https://[::1]:8443"),
        ("evil.example", "https://localhost:8443"), ("a/b", "https://localhost:8443"),
        ("evil.example#localhost", "https://localhost:8443"),
    ])
    func `addresses lead back by the way that a request came, under names of the server`(
        host: String, base: String
    ) throws {
        let bench = try Bench {
            $0.names = ["localhost", "::1", "api.apple-cloudkit.com", "*.mock.example"]
        }
        let token = AssetUploadRequest.Token(recordType: "Note", fieldName: "photo")
        let answer = try #require(
            try bench.call(
                .write(.uploadAssets(AssetUploadRequest([token]))), headers: ["host": host]))
        let url = answer.json?["tokens"]?.elements.first { _ in true }?["url"]?.string
        #expect(url?.hasPrefix(base + "/upload/") == true, "\(url ?? "")")
    }

    @Test func `a fixture brings its files, the same in every server of a seed`() throws {
        func files(_ bench: Bench) throws -> [String] {
            #expect(
                try bench.admin("POST", "seed", Repository.text("Containers/fixtures/assets.json"))
                    .status == 200)
            let request = RecordLookupRequest(
                recordNames: ["note-0", "trip-0"], zoneID: RecordZone.ID("Notes"))
            guard case .records(let reply) = try bench.reply(.read(.lookUpRecords(request))) else {
                throw CloudError(.unknown)
            }
            var targets: [String] = []
            for case .record(let record) in reply.records {
                for value in record.fields.values.map(\.value) {
                    let values =
                        if case .list(_, let elements) = value { elements } else { [value] }
                    for case .asset(let asset) in values {
                        targets.append(try #require(asset.downloadURL))
                    }
                }
            }
            return targets.map { String($0.dropFirst("https://localhost:8443".count)) }
        }
        let bench = try Bench { $0.seed = 1 }
        let targets = try files(bench)
        let bodies = try targets.map { try send(bench, "GET", $0).body }
        #expect(bodies.map(\.count) == [35, 35, 6] && bodies[0] == bodies[1])
        #expect(bodies[2] == Array("page 2".utf8))
        #expect(try files(Bench { $0.seed = 1 }) == targets)
    }

    @Test func `faults are about bytes too`() throws {
        let bench = try Bench()
        func set(_ rules: String...) throws {
            let list = rules.map { "\"\($0)\"" }.joined(separator: ",")
            #expect(try bench.admin("PUT", "faults", "[\(list)]").status == 200)
        }
        let target = try attach(bench)
        try set("assets/download once -> THROTTLED retry 5s")
        let throttled = try send(bench, "GET", target)
        #expect(throttled.status == 429 && throttled.headers["retry-after"] == "5")
        #expect(try send(bench, "GET", target).status == 200)
        let upload = try uploadTarget(bench, "b")
        try set("assets/upload/bytes once -> cut before commit")
        #expect(
            try bench.send(HTTPRequest(method: "POST", target: upload, body: Self.file)) == nil)
        // Nothing was taken.
        #expect(try send(bench, "POST", upload, [1]).status == 200)
        let other = try uploadTarget(bench, "c")
        try set("writes once -> cut after commit")
        #expect(
            try bench.send(HTTPRequest(method: "PUT", target: other, body: Self.file)) == nil)
        #expect(try send(bench, "PUT", other, [1]).status == 409)
        #expect(try send(bench, "PUT", other, Self.file).status == 200)
        let refused = try bench.admin("PUT", "faults", #"["assets/download #Notes -> THROTTLED"]"#)
        #expect(refused.status == 400)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")),
        arguments: ["--http1.1", "--http2"])
    func `50 MB are uploaded and downloaded, and one byte more is refused with the limit`(
        version: String
    ) throws {
        let running = try MockServerTests.Running()
        let ca = ["--cacert", running.ready.caFile, version]
        let path = running.folder.path + "/body"
        let size = WireLimits.assetBytesMax
        var generator = SeededGenerator(seed: 5)
        let block = (0..<8192).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        var bytes = [UInt8]()
        while bytes.count < size { bytes += block }
        func curl(_ arguments: String...) throws -> (status: Int32, text: String) {
            let ended = try Tool.run(
                "/usr/bin/curl", ["-sS", "--max-time", "60"] + ca + arguments, errors: .joined)
            return (ended.status, ended.text)
        }
        func token() throws -> JSONValue? {
            let body = #"{"tokens":[{"recordType":"Note","fieldName":"photo","recordName":"a"}]}"#
            let answer = try curl(running.url("assets/upload"), "-d", body)
            return try JSONDocument.parse(Array(answer.text.utf8)).root["tokens"]
        }
        let url = try #require(try token()?.elements.first { _ in true }?["url"]?.string)
        let form = "Content-Type: multipart/form-data; boundary=B"
        #expect(try curl("-H", form, "-d", "no form", url).text.contains("no part"))
        #expect(try curl("-X", "POST", url + "0").text.contains("is not an upload address"))
        try Data(bytes + [0]).write(to: URL(fileURLWithPath: path))
        for form in [["--data-binary", "@" + path], ["-F", "files=@" + path]] {
            let refused = try Tool.run(
                "/usr/bin/curl",
                ["-sS", "--max-time", "60", "-w", " %{http_code}"] + ca + form + [url],
                errors: .discarded)
            #expect(refused.text.contains("52428800 bytes") && refused.text.contains("413"))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let taken = try curl("--data-binary", "@" + path, url)
        let file = try #require(
            try JSONDocument.parse(Array(taken.text.utf8)).root["singleFile"])
        #expect(file["size"]?.int64 == Int64(size))
        var value = JSONWriter()
        value.value(file)
        let operation =
            #"{"operations":[{"operationType":"create","record":{"recordName":"a","#
            + #""recordType":"Note","fields":{"photo":{"value":\#(value.text)}}}}]}"#
        let saved = try curl(running.url("records/modify"), "-d", operation)
        let record = try JSONDocument.parse(Array(saved.text.utf8)).root["records"]
        let down = try #require(
            record?.elements.first { _ in true }?["fields"]?["photo"]?["value"]?["downloadURL"]?
                .string)
        #expect(try curl("-o", path, down).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
        #expect(running.stop())
    }
}
