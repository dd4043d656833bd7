import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockSamples
import Testing

/// The tables of operations, held against what the server does.
struct OperationTableTests {
    private func rows(_ bench: Bench, _ key: String) throws -> [JSONValue] {
        let index = try bench.admin("GET", "")
        #expect(index.status == 200)
        return Array(try #require(index.json?[key]).elements)
    }

    private func texts(_ value: JSONValue?) -> [String] {
        guard let value, value.kind == .array else { return [] }
        return value.elements.compactMap(\.string)
    }

    @Test func `the index page lists what is there, and nothing else`() throws {
        let bench = try Bench()
        let rows = try rows(bench, "administration")
        #expect(rows.count > 25)
        let paths = Set(rows.compactMap { $0["path"]?.string })
        for path in paths {
            let own = rows.filter { $0["path"]?.string == path }.compactMap { $0["method"]?.string }
            for method in ["GET", "PUT", "POST", "DELETE"] {
                let answer = try #require(
                    try bench.send(HTTPRequest(method: method, target: path)))
                #expect(answer.status != 404 || own.contains(method), "\(method) \(path)")
                #expect((answer.status == 405) == !own.contains(method), "\(method) \(path)")
                if answer.status == 405 {
                    #expect(answer.headers["allow"] == own.sorted().joined(separator: ", "))
                }
            }
        }
    }

    @Test func `answers hold the keys that the index page names`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let record = RecordOperation(.create, recordName: "one", recordType: "Note")
        _ = try bench.call(
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: [record], zoneID: RecordZone.ID("Notes")))))
        let database = "?container=\(Samples.main)&user=ann"
        let queries = [
            "zones": database, "shares": database, "records": database + "&zone=Notes",
            "record": database + "&zone=Notes&name=one", "search": "?name=one",
            "explain": "?request=1",
            "position": "?token=" + WireQuery.encoded(try token(bench).rawValue),
        ]
        for row in try rows(bench, "administration") where row["method"]?.string == "GET" {
            var path = try #require(row["path"]?.string)
            let name = try #require(path.split(separator: "/").last)
            // Of a file that was uploaded, which InspectionTests have.
            if name == "asset" { continue }
            path += queries[String(name)] ?? ""
            let answer = try #require(try bench.send(HTTPRequest(method: "GET", target: path)))
            #expect(answer.status == 200, "\(path)")
            guard answer.headers["content-type"]?.hasPrefix("application/json;") == true else {
                continue
            }
            let keys = try #require(answer.json).members.map(\.key)
            #expect(Set(keys).isSubset(of: texts(row["answers"])), "\(path): \(keys)")
        }
    }

    private func token(_ bench: Bench) throws -> ChangeToken {
        let changes = CloudCommand.read(.databaseChanges(token: nil, limit: nil))
        guard case .zonePage(let page) = try bench.reply(changes), let token = page.token else {
            throw CloudError(.unknown)
        }
        return token
    }

    @Test func `an unknown key is refused with the nearest, whatever the request`() throws {
        let bench = try Bench()
        for row in try rows(bench, "administration") {
            let (method, path) = (row["method"]?.string ?? "", row["path"]?.string ?? "")
            let query = try #require(
                try bench.send(HTTPRequest(method: method, target: path + "?qurey=1")))
            #expect(query.status == 400, "\(method) \(path)")
            for name in texts(row["query"]) { #expect(query.text.contains("nearest"), "\(name)") }
            guard row["body"]?.kind == .array else { continue }
            let wrong = texts(row["body"])[0].dropLast() + "_"
            let body = try #require(
                try bench.send(
                    HTTPRequest(
                        method: method, target: path, body: Array(#"{"\#(wrong)":1}"#.utf8))))
            #expect(body.status == 400, "\(method) \(path)")
            #expect(body.text.contains(texts(row["body"])[0]), "\(body.text)")
        }
    }

    @Test func `a path that leads nowhere is refused with the nearest`() throws {
        let bench = try Bench()
        let admin = try bench.admin("GET", "helth")
        #expect(admin.status == 404)
        #expect(admin.text.contains("/_mock/v1/health"))
        let page = try #require(try bench.send(HTTPRequest(method: "GET", target: "/_mock/singin")))
        #expect(page.status == 404 && page.text.contains("/_mock/signin"))
        let service = try #require(
            try bench.send(
                HTTPRequest(
                    method: "POST",
                    target: "/database/1/\(Samples.main)/development/private/records/qeury")))
        #expect(service.status == 404)
        #expect(service.code == "NOT_FOUND")
        #expect(service.json?["reason"]?.string?.contains("records/query") == true)
    }

    @Test func `an operation asks for the credential that the table names`() throws {
        let bench = try Bench()
        let rows = try rows(bench, "service")
        #expect(rows.count == WireOperation.allCases.count)
        let token = try bench.apiToken
        for row in rows {
            let path = try #require(row["path"]?.string)
                .replacing("{container}", with: Samples.main.rawValue)
                .replacing("{environment}", with: "development")
                .replacing("{database}", with: "public")
            for method in texts(row["methods"]) {
                let answer = try #require(
                    try bench.send(
                        HTTPRequest(method: method, target: path + "?ckAPIToken=" + token)))
                #expect(
                    (answer.status == 421) == (row["credential"]?.string == "user"), "\(path)")
                #expect(answer.status != 405, "\(path)")
            }
        }
    }

    @Test func `the grammar of faults reads the same table`() throws {
        let rows = try rows(try Bench(), "service")
        let writes = rows.filter { $0["modifies"]?.bool == true }
            .compactMap { $0["operation"]?.string }
        #expect(FaultOperation("writes")?.selected == writes + ["assets/upload/bytes"])
        #expect(!writes.isEmpty)
        let standard =
            WireOperation.standard.map(\.rawValue) + WireTransfer.allCases.map(\.rawValue)
        #expect(FaultOperation("any")?.selected == standard)
        for operation in standard {
            #expect(throws: Never.self) {
                _ = try FaultRule(id: "f", text: "\(operation) -> THROTTLED")
            }
        }
    }
}
