import CloudModel
import Foundation
import MockServer
import Testing

/// Schemas, given to a running server.
struct MockSchemaTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Containers/schemas")
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
        let answer = try bench.admin("POST", "seed", try SeedTests.text(name))
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test(arguments: SeedProfile.allCases)
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

    @Test func `a schema that is not one is refused with its place`() throws {
        let bench = try Bench()
        let answer = try bench.admin("PUT", "schema?container=\(Samples.main)", "DEFINE SCHEMES")
        #expect(answer.status == 400)
        #expect(answer.text.contains("line 1"))
        #expect(try bench.admin("PUT", "schema", "DEFINE SCHEMA").status == 400)
    }
}
