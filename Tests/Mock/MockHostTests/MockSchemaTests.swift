import CloudModel
import Foundation
import MockAdmin
import MockSamples
import MockStore
import RepositoryRoot
import Testing

/// Schemas, given to a running server.
struct MockSchemaTests {
    private static let folder = Repository.url("Containers/schemas")
    private static let files = [
        ("myexampleapp", ""), ("documents", ".documents"), ("settings", ".settings"),
    ]

    private func load(_ bench: Bench) throws {
        for (file, suffix) in Self.files {
            let text = try String(
                contentsOf: Self.folder.appendingPathComponent(file + ".ckdb"), encoding: .utf8)
            let answer = try bench.admin("PUT", "schema?container=\(Samples.main)\(suffix)", text)
            #expect(answer.status == 200, "\(answer.text)")
            #expect((answer.json?["recordTypes"]?.int64 ?? 0) > 3)
        }
        try bench.admin("PUT", "options", #"{"strictSchema":true}"#)
    }

    @Test(arguments: ["demo", "odd-names", "references", "default-zone-only", "bystander"])
    func `every fixture keeps to the schemas beside it`(name: String) throws {
        let bench = try Bench()
        try load(bench)
        let answer = try bench.admin(
            "POST", "seed", try Repository.text("Containers/fixtures/\(name).json"))
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// `everything` has a type of its own, with a field of every kind, that no app has.
    @Test(arguments: SeedProfile.allCases.filter { $0 != .everything })
    func `every profile keeps to the schemas too`(profile: SeedProfile) throws {
        let bench = try Bench()
        try load(bench)
        // Above a thousand records a zone is filled by requests, which the schema is held against.
        let count = profile == .tiny ? 1001 : 12
        let answer = try bench.admin(
            "POST", "seed",
            #"{"profile":"\#(profile.rawValue)","users":1,"zones":1,"records":\#(count)}"#)
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// Saves a field of every kind, in a type and in lists.
    private func saveEverything(_ bench: Bench) throws {
        try bench.make("Notes")
        let place = FieldValue.location(Location(latitude: 1, longitude: 2))
        let values: [String: FieldValue] = [
            "text": .string("t"), "whole": .int64(1), "real": .double(0.5), "bytes": .bytes([1]),
            "moment": .timestamp(Samples.start), "place": place,
            "link": .reference(Record.Reference("a")),
        ]
        var fields = values.mapValues { Field($0) }
        for (name, value) in values where name != "link" {
            fields[name + "s"] = Field(.list(value.kind, [value]))
        }
        fields["secret"] = Field(.string("s"), isEncrypted: true)
        fields["grant"] = Field(.int64(1))
        let operation = RecordOperation(
            .create, recordName: "a", recordType: "Thing", fields: fields.mapValues { $0 })
        let request = RecordModifyRequest(
            operations: [
                operation, RecordOperation(.create, recordName: "b", recordType: "Empty"),
            ], zoneID: RecordZone.ID("Notes"))
        let answer = try #require(try bench.call(.write(.modifyRecords(request))))
        #expect(answer.items.compactMap(\.code) == [], "\(answer.text)")
    }

    /// What queries of a type answer, for every field and every way to use it.
    private func answers(_ bench: Bench) throws -> [String] {
        var answers: [String] = []
        let names = [
            "text", "whole", "real", "moment", "texts", "link", "bytes", "place", "secret", "grant",
        ]
        var queries = [Query(recordType: "Thing"), Query(recordType: "Empty")]
        for name in names {
            let value: FieldValue = name == "link" ? .reference(.init("a")) : .string("t")
            queries += [
                Query(recordType: "Thing", filters: [.init(.equals, .field(name), value)]),
                Query(recordType: "Thing", sorts: [.init(.field(name))]),
                Query(
                    recordType: "Thing",
                    filters: [.init(.containsAllTokens, .field(name), .string("t"))]),
            ]
        }
        queries += Query.SystemField.allCases.map {
            Query(recordType: "Thing", sorts: [.init(.system($0))])
        }
        for query in queries {
            let request = RecordQueryRequest(query: query, zoneID: RecordZone.ID("Notes"))
            let answer = try #require(try bench.call(.read(.queryRecords(request))))
            answers.append(
                "\(query): \(answer.status) \(answer.items.map(\.name)) "
                    + (answer.json?["reason"]?.string ?? ""))
        }
        return answers
    }

    @Test func `what was saved is exported as a schema that means the same`() throws {
        let bench = try Bench()
        try saveEverything(bench)
        let path = "schema?container=\(Samples.main)"
        let before = try answers(bench)
        let text = try bench.admin("GET", path).text
        #expect(before.contains { $0.hasSuffix("200 [\"a\"] ") })
        #expect(before.contains { $0.contains("is not marked") })
        for line in [
            "RECORD TYPE Users (", "roles LIST<INT64>", "text STRING QUERYABLE SORTABLE SEARCHABLE",
            "secret ENCRYPTED STRING,", #""grant" INT64 QUERYABLE SORTABLE"#,
            "moments LIST<TIMESTAMP>", #"GRANT READ TO "_world""#,
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
        let loaded = try bench.admin("PUT", path, text)
        #expect(loaded.status == 200, "\(loaded.text)")
        #expect(try answers(bench) == before)
        #expect(try bench.admin("GET", path).text == text)
        try bench.admin("PUT", "options", #"{"strictSchema":true}"#)
        #expect(try answers(bench) == before)
    }

    @Test func `an export tells of what was saved beside a schema`() throws {
        let bench = try Bench()
        let path = "schema?container=\(Samples.main)"
        try bench.admin(
            "PUT", path,
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Thing (text STRING, GRANT READ TO Editor);
            RECORD TYPE Bare (n INT64);
            """)
        try saveEverything(bench)
        let text = try bench.admin("GET", path).text
        #expect(text.contains("CREATE ROLE Editor;"))
        #expect(text.contains("text STRING,") && text.contains("whole INT64,"))
        #expect(text.contains("GRANT READ TO Editor\n"))
        #expect(
            try Schema(parsing: text).recordTypes.map(\.name) == [
                "Bare", "Empty", "Thing", "Users",
            ])
        // Of the other environment nothing was saved.
        let other = try bench.admin("GET", path + "&environment=production").text
        #expect(try Schema(parsing: other).recordTypes.map(\.name) == ["Bare", "Thing", "Users"])
        let list = try bench.admin("GET", "schema").json?["schemas"]
        #expect(list?.elements.map { $0["environment"]?.string } == ["development", "production"])
        #expect(list?.elements.allSatisfy { $0["declared"]?.bool == true } == true)
    }

    @Test(arguments: [
        "schema?container=x", "schema?environment=production",
        "schema?container=iCloud.com.example.a&environment=prod",
    ])
    func `an export of nothing that can be is refused`(path: String) throws {
        #expect(try Bench().admin("GET", path).status == 400)
    }

    @Test func `a schema that is not one is refused with its place`() throws {
        let bench = try Bench()
        let answer = try bench.admin("PUT", "schema?container=\(Samples.main)", "DEFINE SCHEMES")
        #expect(answer.status == 400)
        #expect(answer.text.contains("line 1"))
        #expect(try bench.admin("PUT", "schema", "DEFINE SCHEMA").status == 400)
    }
}
