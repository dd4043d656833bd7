import CloudModel
import InProcessMock
import MockAdmin
import MockSamples
import Testing

/// Fixtures and the generator, as requests load them.
struct SeedRequestTests {
    @Test func `a file needs a field that can have it`() throws {
        let bench = try Bench()
        let record =
            #"{"recordName":"a","recordType":"N!","fields":{"photo":{"value":{"base64":"SGk="}}}}"#
        let wrong =
            #"{"version":1,"shows":"x","users":["a"],"databases":[{"container":"iCloud.com.a","#
            + #""user":"a","zones":[{"name":"Z","records":[\#(record)]}]}]}"#
        let answer = try bench.admin("POST", "seed", wrong)
        #expect(answer.status == 422 && answer.text.contains("a record type is a letter"))
    }

    @Test(arguments: [SeedProfile.notes, .everything])
    func `a lived-in account has tombstones, shares and files, the same for the same seed`(
        profile: SeedProfile
    ) throws {
        let body = """
            {"profile":"\(profile.rawValue)","users":3,"zones":1,"records":100,"deleted":36,"shares":2,\
            "seed":7,"containers":["\(Samples.main)"]}
            """
        var files: [SnapshotBytes] = []
        for _ in 0..<2 {
            let bench = try Bench { $0.seed = 11 }
            try bench.admin("PUT", "clock", #"{"mode":"frozen","now":"2031-05-06T07:08:09Z"}"#)
            let answer = try bench.admin("POST", "seed", body)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains(#""deleted":108,"shares":6"#), "\(answer.text)")
            files.append(SnapshotBytes(try bench.admin("GET", "export").body))
            let query = "shares?container=\(Samples.main)&environment=development&user=ann"
            let shares = try bench.admin("GET", query + "&database=private")
            #expect(shares.json?["shares"]?.count == 2, "\(shares.text)")
            #expect(shares.text.contains("ACCEPTED") && shares.text.contains("INVITED"))
        }
        #expect(try files[0].rows() == files[1].rows())
        // Three zones of a hundred records.
        let gone = try files[0].rows(of: "SELECT count(*) FROM records WHERE type IS NULL")
        #expect(gone == [[108]])
        let parts = try files[0].rows(of: "SELECT count(*) FROM asset_parts")
        #expect((parts == [[0]]) == (profile != .everything))
        guard profile == .everything else { return }
        let fields = try files[0].rows(of: "SELECT DISTINCT kind, list FROM fields")
        for kind in FieldValue.Kind.allCases {
            #expect(fields.contains([.text(kind.rawValue), 0]), "\(kind)")
            #expect(fields.contains([.text(kind.rawValue), 1]), "\(kind)")
        }
    }

    @Test func `shares need two users`() throws {
        let answer = try Bench().admin(
            "POST", "seed", #"{"profile":"notes","users":1,"shares":1}"#)
        #expect(answer.status == 400 && answer.text.contains("two users"))
    }
}
