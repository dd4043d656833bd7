import CloudModel
import CloudWire
import Foundation
import HTTPServer
import JSON
import MockAdmin
import MockHost
import MockSamples
import MockService
import RepositoryRoot
import Testing

/// The description that the server gives of itself. That all answers fit it, whatever the test, is seen
/// to where they are sent: in ``Bench``.
struct OpenAPITests {
    private let document = ServedDocument.shared

    /// A method and a path.
    struct Row: Hashable, CustomStringConvertible {
        let method: String
        let path: String
        var description: String { "\(method) \(path)" }
    }

    /// The rows of all tables, as the index page lists them.
    private func rows() throws -> [Row] {
        let index = try #require(try Bench().admin("GET", "").json)
        var rows: [Row] = []
        for key in ["service", "transfers"] {
            for row in try #require(index[key]).elements {
                for method in try #require(row["methods"]).elements {
                    rows.append(
                        Row(method: method.string ?? "", path: row["path"]?.string ?? ""))
                }
            }
        }
        for row in try #require(index["administration"]).elements {
            rows.append(
                Row(method: row["method"]?.string ?? "", path: row["path"]?.string ?? ""))
        }
        return rows
    }

    @Test func `every row of the tables stands in the document once, and nothing else but pages`()
        throws
    {
        let rows = try rows()
        let documented = document.operations.map { Row(method: $0.method, path: $0.path) }
        #expect(documented.count == Set(documented).count)
        #expect(rows.count == Set(rows).count && rows.count > 80)
        for row in rows where !documented.contains(row) { Issue.record("\(row) is missing") }
        let others = Set(documented).subtracting(rows).map(\.path)
        #expect(Set(others) == ["/", "/_mock/signin", "/courier"])
        // A key twice would hide what stands under the first.
        #expect(document.root.document.repeatedKey == nil)
        let ids = document.operations.map { $0.value["operationId"]?.string }
        #expect(ids.count == Set(ids).count && !ids.contains(nil))
    }

    @Test func `every reference leads somewhere, and everything that is defined is used`() throws {
        var references: Set<String> = []
        func visit(_ value: JSONValue) {
            if let reference = value["$ref"]?.string { references.insert(reference) }
            for member in value.members { visit(member.value) }
            for element in value.elements { visit(element) }
        }
        visit(document.root)
        #expect(references.count > 50)
        for reference in references where document.target(of: reference) == nil {
            Issue.record("\(reference) is not there")
        }
        for kind in ["schemas", "responses", "headers"] {
            for member in try #require(document.root["components"]?[kind]).members {
                let reference = "#/components/\(kind)/\(member.key)"
                #expect(references.contains(reference), "\(reference) is never used")
            }
        }
        let schemes = try #require(document.root["components"]?["securitySchemes"]).members
        for operation in document.operations {
            for way in try #require(operation.value["security"]).elements {
                for member in way.members {
                    #expect(schemes.contains { $0.key == member.key }, "\(member.key)")
                }
            }
        }
    }

    @Test func `every key of the administration is described`() throws {
        func visit(_ schema: JSONValue?, _ place: String) {
            guard let schema else { return }
            for member in schema["properties"]?.members.map({ $0 }) ?? [] {
                let name = member.key
                if member.value.count == 0 {
                    Issue.record(
                        """
                        \(place): nothing is known of "\(name)": put it into AdminVocabulary, or \
                        give it a shape where it stands
                        """)
                }
                visit(member.value, "\(place).\(name)")
            }
            visit(schema["items"], place)
            for choice in schema["anyOf"]?.elements.map({ $0 }) ?? [] { visit(choice, place) }
        }
        for operation in document.operations where operation.path.hasPrefix("/_mock/") {
            let place = "\(operation.method) \(operation.path)"
            for parameter in operation.parameters where parameter["schema"]?.count == 0 {
                Issue.record(
                    """
                    \(place): nothing is known of "?\(parameter["name"]?.string ?? "")=": put it \
                    into AdminVocabulary, or give it a shape where it stands
                    """)
            }
            for body in ["requestBody"].compactMap({ operation.value[$0] }) {
                visit(body["content"]?["application/json"]?["schema"], place)
            }
            let answer = operation.value["responses"]?["200"]
            visit(answer?["content"]?["application/json"]?["schema"], place)
        }
        let ofService = Set(ShapeDefinition.all.map(\.name))
        for member in try #require(document.root["components"]?["schemas"]).members
        where !ofService.contains(member.key) {
            visit(member.value, member.key)
        }
    }

    @Test func `it tells the address that it was asked at, and is the same otherwise`() throws {
        let bench = try Bench()
        let first = try bench.admin("GET", "openapi.json")
        #expect(first.status == 200)
        #expect(first.headers["content-type"]?.hasPrefix("application/json") == true)
        #expect(first.body == OpenAPIDocument.bytes(servedAt: "https://localhost:8443"))
        let other = try bench.admin("GET", "openapi.json", headers: ["host": "localhost:9443"])
        let server = other.json?["servers"]?.elements.first { _ in true }?["url"]?.string
        #expect(server == "https://localhost:9443")
        #expect(other.text.replacing("localhost:9443", with: "localhost:8443") == first.text)
        #expect(first.json?["openapi"]?.string?.hasPrefix("3.1.") == true)
    }

    @Test func `limits, choices and patterns of the tables stand in it`() throws {
        func property(_ definition: String, _ names: String...) -> JSONValue? {
            names.reduce(document.target(of: "#/components/schemas/\(definition)")) {
                $0?["properties"]?[$1]
            }
        }
        #expect(property("RecordsModifyRequest", "operations")?["maxItems"]?.int64 == 200)
        #expect(property("RecordsLookupRequest", "records")?["maxItems"]?.int64 == 200)
        #expect(property("RecordsQueryRequest", "resultsLimit")?["minimum"]?.int64 == 1)
        #expect(property("RecordOperation", "operationType")?["enum"]?.count == 7)
        #expect(property("TokenRegisterRequest", "apnsToken")?["pattern"]?.string != nil)
        let codes = try #require(document.target(of: "#/components/schemas/ErrorCode"))
        #expect(codes["enum"]?.elements.contains { $0.string == "ZONE_NOT_FOUND" } == true)
        let modify = try #require(
            document.operation(
                "POST", "/database/1/\(Samples.main)/development/private/records/modify"))
        for code in CloudError.Code.allCases {
            guard let status = code.httpStatus else { continue }
            #expect(modify.value["responses"]?["\(status)"] != nil, "\(code) has status \(status)")
        }
        #expect(modify.value["security"]?.count == 2)
        #expect(modify.value["requestBody"]?["x-bytesMax"]?.int64 ?? 0 > 2 << 20)
    }

    @Test func `OPTIONS on a path names its methods`() throws {
        let bench = try Bench()
        let samples = [
            "container": Samples.main.rawValue, "environment": "development",
            "database": "private", "token": "x",
        ]
        for path in Set(document.operations.map(\.path)) {
            let target = samples.reduce(path) { $0.replacing("{\($1.key)}", with: $1.value) }
            let answer = try #require(
                try bench.send(HTTPRequest(method: "OPTIONS", target: target)))
            #expect(answer.status == 200, "\(path)")
            let allowed = answer.headers["allow"]?.split(separator: ", ").map(String.init) ?? []
            let methods = document.operations.filter { $0.path == path }.map(\.method)
            #expect(allowed.count == Set(allowed).count, "\(path)")
            // HEAD is answered wherever a page is, and documented where it is a row.
            #expect(
                Set(allowed).subtracting(["HEAD"])
                    == Set(methods + ["OPTIONS"]).subtracting(["HEAD"]), "\(path)")
        }
        let nowhere = try #require(
            try bench.send(HTTPRequest(method: "OPTIONS", target: "/anything/at/all")))
        #expect(nowhere.headers["allow"] == "OPTIONS")
        let foreign = try #require(
            try bench.send(
                HTTPRequest(
                    method: "OPTIONS", target: "/_mock/v1/users",
                    headers: ["origin": "https://app.example"])))
        #expect(foreign.status == 403)
        #expect(!foreign.headers.contains("access-control-allow-origin"))
    }

    @Test func `every status that the administration refuses with is in the document`() throws {
        let answers = try #require(
            document.operation("GET", "/_mock/v1/health")?.value["responses"])
        let files = try #require(
            FileManager.default.enumerator(
                at: Repository.url("Sources/Mock"), includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /MockError\(\s*status: ([0-9]+)/) {
                count += 1
                // 405 is of methods that no row has.
                if match.1 != "405", answers[String(match.1)] == nil {
                    Issue.record(
                        "\(file.lastPathComponent): \(match.1) is not in MockError.statuses")
                }
            }
        }
        #expect(count > 10)
    }

    @Test(arguments: [
        (200, #"{"zones":[],"moreComing":false}"#, true),
        (200, #"{"zones":[],"moreComing":0}"#, false),
        (200, #"{"zones":[]}"#, false),
        (200, #"{"zones":[],"moreComing":false,"more":1}"#, false),
        (200, #"{"zones":[{"zoneID":{"zoneName":"a"},"deleted":true}],"moreComing":false}"#, true),
        (200, #"{"zones":[{"zoneID":{"zoneName":"a"},"delete":true}],"moreComing":false}"#, false),
        (404, #"{"uuid":"1","serverErrorCode":"ZONE_NOT_FOUND","reason":""}"#, true),
        (404, #"{"uuid":"1","serverErrorCode":"ZONE_FOUND","reason":""}"#, false),
        (418, "{}", false), (200, "[]", false), (200, "{", false),
    ])
    func `an answer that does not fit the document is noticed`(
        status: Int, body: String, fits: Bool
    ) {
        let request = HTTPRequest(
            method: "GET",
            target: "/database/1/iCloud.a/development/private/zones/list?ckAPIToken=1")
        let headers: HTTPHeaders = ["content-type": "application/json; charset=UTF-8"]
        func check() throws {
            try document.check(request, answer: status, headers, Array(body.utf8))
        }
        if fits {
            #expect(throws: Never.self) { try check() }
        } else {
            #expect(throws: ServedDocument.Problem.self) { try check() }
        }
    }
}
