import Commands
import Foundation
import RepositoryRoot
import Testing

/// Sweeps over TLS of accounts that have the shape of real apps' data; see the README of `Tests/Sweep/Cases`.
@Suite(.timeLimit(.minutes(30)))
struct WireCasesTests {
    private static let container = "iCloud.org.example.cases"

    private static func schema(_ path: String) throws -> String {
        try Repository.text("Tests/Sweep/Cases/\(path)")
    }

    private struct Record {
        let name: String
        let type: String
        var fields: [String: Any] = [:]

        /// A record that refers to another.
        static func link(
            _ name: String, _ type: String, to target: String?, _ action: String
        ) -> Record {
            var record = Record(name: name, type: type)
            if let target {
                record.fields["to"] = [
                    "value": ["recordName": target, "action": action], "type": "REFERENCE",
                ]
            }
            return record
        }
    }

    /// An account: the records of each user in one zone.
    private static func fixture(
        _ records: [String: [Record]], zone: String = "_defaultZone", scope: String = "private",
        schema: String? = nil
    ) throws -> String {
        let databases = records.sorted { $0.key < $1.key }.map { user, records in
            let records = records.map {
                ["recordName": $0.name, "recordType": $0.type, "fields": $0.fields] as [String: Any]
            }
            return [
                "container": container, "scope": scope, "user": user,
                "zones": [["name": zone, "records": records]],
            ] as [String: Any]
        }
        let fixture: [String: Any] = [
            "version": 1, "shows": "a case", "environment": "development",
            "users": ["ann", "bob"], "schemas": schema.map { [container: $0] } ?? [:],
            "databases": databases,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: fixture), as: UTF8.self)
    }

    /// Runs `body` with a list of the one container.
    ///
    /// - Parameters:
    ///   - entry: What the list says of the container, besides its identifier.
    ///   - list: What else the list says.
    private static func scene(
        _ fixture: String, entry: String, list: String = #""databases": ["private"]"#,
        server: [String] = [], _ body: (SweepScene) async throws -> Void
    ) async throws {
        try await SweepScene.run(
            list: { text in
                text.replacing(
                    #/"containers": \[[\s\S]*\],\s*"credentials"/#,
                    with: """
                        "containers": [ { "identifier": "\(container)", \(entry) } ], \(list),
                        "credentials"
                        """)
            }, server: ["--any-container"] + server, fixture: fixture, body)
    }

    /// Plans, and carries the plan out.
    private func sweep(
        _ scene: SweepScene
    ) async throws -> (plan: Int32, apply: Int32, output: String) {
        let plan = try await scene.cksweep(["plan", "-o", "ann.plan", "--json-into", "plan.jsonl"])
        let digest = try scene.digest("plan.jsonl")
        guard !digest.isEmpty else { return (plan.code, -1, plan.output + plan.errors) }
        let apply = try await scene.cksweep(
            ["apply", "ann.plan", "--approve", digest, "-v"] + SweepVerbTests.quick)
        return (plan.code, apply.code, unbroken(apply.output + apply.errors))
    }

    /// Whether a plan would delete anything of a user.
    private func hasData(_ scene: SweepScene, of variable: String) async throws -> Bool {
        let token = try #require(scene.variables[variable])
        let plan = try await scene.cksweep(
            ["plan", "--detailed-exitcode"], variables: ["WEB": token])
        #expect(plan.code == 0 || plan.code == 10, "\(plan.output)")
        return plan.code == 10
    }

    @Test(arguments: [false, true])
    func `C11 an app that stores with Core Data`(saysSo: Bool) async throws {
        let schema = try Self.schema("C11/library.ckdb")
        let fixture = try Self.fixture(
            ["ann": [Record(name: "11111111-0000-4000-8000-000000000001", type: "CD_Book")]],
            zone: "com.apple.coredata.cloudkit.zone", schema: schema)
        try await Self.scene(
            fixture,
            entry: #""schema": "library.ckdb""# + (saysSo ? #", "customZonesOnly": true"# : "")
        ) { scene in
            try scene.world.put(schema, at: "Containers/library.ckdb")
            let result = try await sweep(scene)
            #expect(result.plan == (saysSo ? 0 : 4), "\(result.output)")
            #expect(result.apply == (saysSo ? 0 : 5), "\(result.output)")
            #expect(result.output.contains("deleted 1 ·"), "\(result.output)")
            for type in ["CD_Book", "CDMR"] {
                let reason =
                    saysSo
                    ? "it cannot be listed, and \"customZonesOnly\""
                    : "the type cannot be listed: make recordName queryable in the schema"
                #expect(result.output.contains("\(type)") && result.output.contains(reason))
            }
        }
    }

    @Test func `C12 public records without an index on their creator`() async throws {
        let schema = try Self.schema("C12/tracks.ckdb")
        let fixture = try Self.fixture(
            [
                "ann": [Record(name: "ann-track", type: "Track")],
                "bob": [Record(name: "bob-track", type: "Track")],
            ], scope: "public", schema: schema)
        try await Self.scene(
            fixture, entry: #""schema": "tracks.ckdb""#,
            list: #""databases": ["private", "public"]"#
        ) { scene in
            try scene.world.put(schema, at: "Containers/tracks.ckdb")
            let result = try await sweep(scene)
            #expect(result == (0, 0, result.output), "\(result.output)")
            #expect(try await !hasData(scene, of: "WEB"))
            #expect(try await hasData(scene, of: "BOB"))
        }
    }

    @Test func `C15 names that are not ASCII`() async throws {
        let names = ["café-🫖", String(repeating: "é", count: 250), "plain"]
        let fixture = try Self.fixture(["ann": names.map { Record(name: $0, type: "Tag") }])
        try await Self.scene(
            fixture, entry: #""recordTypes": ["Tag"]"#, server: ["--option", "asciiNames=false"]
        ) { scene in
            let result = try await sweep(scene)
            #expect(result == (0, 0, result.output), "\(result.output)")
            #expect(result.output.contains("deleted 3 ·"), "\(result.output)")
        }
    }

    @Test(arguments: [false, true])
    func `C19 records that each delete themselves with the one before, more than go at once`(
        isRing: Bool
    ) async throws {
        let notes = (0..<250).map {
            Record.link(
                "n\($0)", "Note", to: $0 > 0 ? "n\($0 - 1)" : isRing ? "n249" : nil, "DELETE_SELF")
        }
        let fixture = try Self.fixture(
            ["ann": notes + [Record(name: "k0", type: "Keep")]], zone: "Chain")
        try await Self.scene(
            fixture, entry: #""recordTypes": ["Note", "Keep"]"#,
            list: """
                "databases": ["private"], "protect": [
                  { "zone": "Chain", "recordType": "Keep", "reason": "kept for seven years" } ]
                """, server: ["--option", "cascadeMax=20"]
        ) { scene in
            let result = try await sweep(scene)
            #expect(result == (0, 0, result.output), "\(result.output)")
            #expect(result.output.contains("deleted 250 ·"), "\(result.output)")
            #expect(try await !hasData(scene, of: "WEB"))
        }
    }

    @Test func `C25 an album whose 450 photos must be deleted first`() async throws {
        let photos = (0..<450).map { Record.link("photo-\($0)", "Photo", to: "album", "VALIDATE") }
        let fixture = try Self.fixture(["ann": [Record(name: "album", type: "Album")] + photos])
        try await Self.scene(fixture, entry: #""recordTypes": ["Album", "Photo"]"#) { scene in
            let result = try await sweep(scene)
            #expect(result == (0, 0, result.output), "\(result.output)")
        }
    }

    /// What happens to the second page of a query, and the status of the plan.
    @Test(
        arguments: [
            ("every 2nd query with type Photo -> BAD_REQUEST", 4),
            ("2nd query with type Photo -> BAD_REQUEST", 0),
            ("2nd query with type Photo -> status 502", 0),
            ("2nd query with type Photo -> empty page", 0),
        ] as [(String, Int32)])
    func `C26 the second page fails`(fault: String, code: Int32) async throws {
        let photos = (0..<450).map { Record(name: "photo-\($0)", type: "Photo") }
        let fixture = try Self.fixture(["ann": photos])
        try await Self.scene(fixture, entry: #""recordTypes": ["Photo"]"#) { scene in
            #expect(await scene.mock("faults", fault) == 0)
            let result = try await sweep(scene)
            #expect(result.plan == code, "\(result.output)")
            #expect(result.apply == (code == 0 ? 0 : -1), "\(result.output)")
            #expect(await scene.mock("faults", "--clear") == 0)
            #expect(try await hasData(scene, of: "WEB") == (code != 0))
        }
    }
}
